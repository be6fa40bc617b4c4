// Queries as values: text, binding, composition, and the statement that belongs to them. No I/O.

import Testing

@testable import Postgres

@Suite struct QueryTests {
    @Test func interpolationBinds() {
        let name = "'; drop table party; --"
        let query: Query<Int64> = "select id from party where name = \(name) and seats > \(3)"
        #expect(query.text == "select id from party where name = $1 and seats > $2")
        #expect(!"\(query)".contains("drop"))
        #expect(query.sql.parameterCount == 2)
    }

    @Test func fragmentsAreNumberedWhereTheyStand() {
        let visible: SQL = "owner = \(7 as Int64) and not hidden"
        let query: Query<Int64> =
            "select id from party where seats > \(3) and \(raw: visible) limit \(10)"
        #expect(
            query.text
                == "select id from party where seats > $1 and owner = $2 and not hidden limit $3")
        let outer: Query<Int64> =
            "with p as (\(raw: query)) select count(*) from p where id <> \(1)"
        #expect(outer.text.hasSuffix("limit $3) select count(*) from p where id <> $4"))
        let direction: SQL = true ? "asc" : "desc"
        #expect(("select 1 order by 1 \(raw: direction)" as SQL).text == "select 1 order by 1 asc")
    }

    private func byID(_ id: Int64) -> SQL { "select name from party where id = \(id)" }

    @Test func oneTextIsOneStatement() {
        var registry = StatementRegistry(limit: 100)
        let first = registry.statement(for: byID(1))
        #expect(registry.statement(for: byID(2)) === first)
        #expect(
            registry.statement(for: "select name from party where id = \(3 as Int64)") === first)
        #expect(
            registry.statement(for: "select name from party where id = \(3 as Int32)") !== first)
        #expect(String(cString: first.text) == "select name from party where id = $1")
        #expect(first.parameterTypes == [TypeOID.int8])
    }

    @Test func registryForgetsTheOldest() {
        var registry = StatementRegistry(limit: 8)
        let kept = registry.statement(for: byID(1))
        var filler: SQL = "select 1"
        for _ in 0..<50 {
            filler = "\(raw: filler), 1"
            _ = registry.statement(for: filler)
            #expect(registry.count <= 8)
            #expect(registry.statement(for: byID(1)) === kept)
        }
    }

    @Test func preparedStatementsAreBounded() {
        var prepared = PreparedStatements(limit: 2)
        #expect(prepared.use(1) == .new(evicted: nil))
        #expect(prepared.use(2) == .new(evicted: nil))
        #expect(prepared.use(1) == .prepared)
        #expect(prepared.use(3) == .new(evicted: 2))
        prepared.forget(1)
        #expect(prepared.use(1) == .new(evicted: nil))
    }

    @Test(arguments: [
        ("select 1", true), ("  -- why\n\tSELECT 1", true), ("(select 1) union all select 2", true),
        ("with x as (select 1) select * from x", true), ("values (1)", true), ("selection", false),
        ("update party set a = 1", false), ("-- only a comment", false), ("", false),
    ])
    func readsAreRecognised(_ text: String, _ isRead: Bool) {
        #expect(Statement.looksLikeRead(Array(text.utf8)) == isRead)
    }

    @Test(arguments: [
        "http://x", "", "localhost", "postgres://u:%zz@h/d",
        "postgres://u:secret@h:port/d?nonsense=1",
    ])
    func badURLsAreExplainedWithoutTheirContent(_ url: String) {
        do {
            _ = try DatabaseConfiguration(url: url)
            Issue.record("\(url) was accepted")
        } catch {
            #expect("\(error)".contains("postgres://user:password@host:port/database"))
            #expect(!"\(error)".contains("secret") && !"\(error)".contains("%zz"))
        }
    }

    @Test func locationHasNoPassword() throws {
        let configuration = try DatabaseConfiguration(url: "postgres://me:secret@db:5433/parties")
        #expect(configuration.location == "db:5433/parties as me")
    }

    @Test func backoffGrowsWithinBounds() {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        for expected: UInt64 in [50, 100, 200, 400, 800, 1600, 2000, 2000] {
            let delay = backoff.failed(using: &random) / 1_000_000
            #expect(delay >= expected / 2 && delay <= expected)
        }
        backoff.succeeded()
        #expect(backoff.failed(using: &random) <= Backoff.least)
    }
}
