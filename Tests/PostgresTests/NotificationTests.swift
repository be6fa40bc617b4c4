// LISTEN and NOTIFY, also across a lost connection.
import EventLoop
import Postgres
import TestSupport
import Testing

@Suite struct NotificationTests {
    @Test func notificationsArriveInOrder() async throws {
        try await TestDatabase.withPool(loops: 2) { database, _ in
            var events = database.events(of: "Chat \"1\"").makeAsyncIterator()
            #expect(await events.next() == .listening)
            for number in 0..<100 { try await database.notify("Chat \"1\"", "message \(number)") }
            try await database.notify("other", "not for us")
            for number in 0..<100 {
                #expect(await events.next() == .notification("message \(number)"))
            }
        }
    }

    @Test func aNotificationIsSentOnCommitOnly() async throws {
        struct Undo: Error {}
        try await TestDatabase.withPool { database, _ in
            var events = database.events(of: "chat").makeAsyncIterator()
            #expect(await events.next() == .listening)
            try? await database.transaction { transaction in
                try await transaction.notify("chat", "never")
                throw Undo()
            }
            try await database.transaction { try await $0.notify("chat", "committed") }
            #expect(await events.next() == .notification("committed"))
        }
    }

    @Test func aLostConnectionListensAgainAndSaysSo() async throws {
        try await TestDatabase.withPool { database, _ in
            var first = database.events(of: "first").makeAsyncIterator()
            var second = database.events(of: "second").makeAsyncIterator()
            for _ in 0..<3 {
                #expect(await first.next() == .listening)
                #expect(await second.next() == .listening)
                try await database.notify("first", "a")
                try await database.notify("second", "b")
                #expect(await first.next() == .notification("a"))
                #expect(await second.next() == .notification("b"))
                let kill: Query<Bool> = """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and query like '%listen "%'
                        and pid <> pg_backend_pid()
                    """
                let killed = try await database.rows(kill)
                #expect(killed == [true])
            }
            #expect(await first.next() == .listening)
        }
    }

    @Test func aCancelledSubscriptionIsDroppedOnTheServer() async throws {
        try await TestDatabase.withPool { database, _ in
            let (stream, sink) = AsyncStream<ChannelEvent>.makeStream()
            let kept = database.listen("kept") { sink.yield($0) }
            let dropped = database.listen("dropped") { sink.yield($0) }
            var events = stream.makeAsyncIterator()
            #expect(await events.next() == .listening)
            #expect(await events.next() == .listening)
            dropped.cancel()
            try await database.notify("dropped", "unheard")
            try await database.notify("kept", "heard")
            // What was under way when it was cancelled may arrive on the server, not here.
            #expect(await events.next() == .notification("heard"))
            kept.cancel()
        }
    }

    @Test func tooLongAPayloadIsRefusedHere() async throws {
        try await TestDatabase.withPool { database, _ in
            try await database.notify("chat", String(repeating: "x", count: 7999))
            await #expect(throws: PostgresError.self) {
                try await database.notify("chat", String(repeating: "x", count: 8000))
            }
        }
    }
}
