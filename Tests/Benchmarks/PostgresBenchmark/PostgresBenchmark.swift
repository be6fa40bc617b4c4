// Single-row reads per second on one loop, and what one costs this process in CPU, beside pgbench
// on the same table: what the module itself adds, without HTTP.
//
//   DATABASE_URL=postgres://… taskset -c 0 postgres-benchmark [seconds] [tasks] [alone]
import EventLoop
import Glibc
import Postgres

/// A row of pgbench's own table.
struct Account: PostgresRow {
    let id: Int32
    let balance: Int32

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next()
        balance = try columns.next()
    }
}

@main
struct PostgresBenchmark {
    static let accounts = 100_000

    static func main() throws {
        guard let url = getenv("DATABASE_URL").map({ String(cString: $0) }) else {
            print("DATABASE_URL is not set")
            exit(2)
        }
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let seconds = arguments.first ?? 5
        let tasks = arguments.dropFirst().first ?? 64
        let configuration = try DatabaseConfiguration(url: url)
        try prepare(configuration)

        let loop = try EventLoop()
        let database = Database(configuration, loops: [loop])
        loop.spawn {
            do {
                _ = try await measure(database, loop, seconds: 1, tasks: tasks, named: nil)
                try await measure(database, loop, seconds: seconds, tasks: tasks, named: "reads")
            } catch {
                print("failed: \(error)")
                exit(1)
            }
            database.shutDown()
            loop.stop()
        }
        loop.run()
        fflush(nil)
        if !CommandLine.arguments.contains("alone") { runPgbench(url, seconds) }
    }

    /// pgbench's table of scale 1, when it is not there.
    static func prepare(_ configuration: DatabaseConfiguration) throws {
        let connection = try MaintenanceConnection(configuration)
        try connection.execute(
            """
            create table if not exists pgbench_accounts
                (aid integer not null primary key, bid integer, abalance integer, filler char(84));
            create table if not exists pgbench_branches (bid integer not null primary key);
            insert into pgbench_branches values (1) on conflict do nothing;
            insert into pgbench_accounts
                select id, 1, 0, '' from generate_series(1, \(accounts)) id on conflict do nothing
            """)
        try connection.execute("vacuum analyze pgbench_accounts")
    }

    @discardableResult
    static func measure(
        _ database: Database, _ loop: EventLoop, seconds: Int, tasks: Int, named name: String?
    ) async throws -> Int {
        let end = EventLoop.now + UInt64(seconds) * 1_000_000_000
        let cpu = cpuMicroseconds()
        let began = EventLoop.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks {
                group.addTask(executorPreference: loop) {
                    try await read(database, until: end, task)
                }
            }
            return try await group.reduce(0, +)
        }
        let elapsed = Double(EventLoop.now - began) / 1e9
        if let name {
            let rate = Int(Double(count) / elapsed)
            let cost = (cpuMicroseconds() - cpu) / Double(count)
            print(
                "\(name): \(rate)/s, \(hundredths(cost)) µs CPU each, \(tasks) tasks, \(count) rows"
            )
        }
        return count
    }

    static func read(_ database: Database, until end: UInt64, _ seed: Int) async throws -> Int {
        var count = 0
        var id = Int32(seed)
        while count % 64 != 0 || EventLoop.now < end {
            id = (id &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
            let key = id % Int32(accounts) + 1
            let query: Query<Account> =
                "select aid, abalance from pgbench_accounts where aid = \(key)"
            guard let account = try await database.row(query), account.id == key else {
                throw PostgresError.rowCount(0)
            }
            count += 1
        }
        return count
    }

    /// User and system time of this process.
    static func cpuMicroseconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        return Double(seconds) * 1e6 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }

    static func hundredths(_ value: Double) -> String {
        let scaled = Int((value * 100).rounded())
        return "\(scaled / 100).\(scaled % 100 < 10 ? "0" : "")\(scaled % 100)"
    }

    /// The reference, with the same address and on the same cores.
    static func runPgbench(_ url: String, _ seconds: Int) {
        let arguments = [
            "pgbench", "-n", "-M", "prepared", "-S", "-c", "8", "-T", "\(seconds)", url,
        ]
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let candidates = ["/usr/lib/postgresql/15/bin/pgbench", "pgbench"]
        for candidate in candidates
        where posix_spawnp(&child, candidate, nil, nil, words + [nil], environ) == 0 {
            var status: Int32 = 0
            waitpid(child, &status, 0)
            return
        }
        print("pgbench is not installed: no reference")
    }
}
