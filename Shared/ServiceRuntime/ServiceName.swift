// The five services, as they call each other.

/// A service of Madang.
package enum ServiceName: String, Sendable, Hashable, CaseIterable {
    case auth, parties, meetings, market, sports

    /// Where it listens unless configured otherwise.
    package var port: Int {
        switch self {
        case .auth: 8081
        case .parties: 8082
        case .meetings: 8083
        case .market: 8084
        case .sports: 8085
        }
    }

    /// The variable with its address, such as `AUTH_URL`.
    package var addressVariable: String { rawValue.uppercased() + "_URL" }
}
