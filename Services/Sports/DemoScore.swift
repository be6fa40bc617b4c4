// How a match of the demo season goes: a pure function of the match and the time, so that no job has to run at the kick-off
// or a goal, and nobody can read a result before it happened.
package import SportsAPI
package import Vocabulary

/// The state and score of a match at a moment.
package struct DemoScore: Sendable, Equatable {
    package let state: FixtureState
    /// `nil` before the kick-off and for a match that is not played.
    package let score: Score?

    package init(of fixture: Int64, kicksOffAt: Instant, postponed: Bool, at now: Instant) {
        if postponed {
            (state, score) = (.postponed, nil)
        } else if now < kicksOffAt {
            (state, score) = (.scheduled, nil)
        } else {
            let minutes = Int((now.microseconds - kicksOffAt.microseconds) / 60_000_000)
            state = minutes < Limits.matchMinutes ? .live : .finished
            func goals(_ side: Int64) -> Int {
                Self.goalMinutes(fixture, side: side).filter { $0 <= minutes }.count
            }
            score = Score(home: goals(0), away: goals(1))
        }
    }

    /// How many goals, each as likely as the others: one and a half on average.
    private static let counts = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 1, 0]

    /// Minutes from the kick-off, the break included, at which a side scores; in no order.
    package static func goalMinutes(_ fixture: Int64, side: Int64) -> [Int] {
        let draw = DemoSeason.scattered(fixture * 2 + side)
        return (0..<counts[Int(draw % 16)]).map { goal in
            let minute = Int(draw >> (8 + 10 * UInt64(goal)) & 0x3FF) % 90 + 1
            return minute <= 45 ? minute : minute + Limits.breakMinutes
        }
    }
}
