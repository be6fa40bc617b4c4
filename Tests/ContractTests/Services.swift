// The services whose contracts are tested, with whatever each needs to start in this process.

import AuthService
import Endpoints
import MarketService
import MeetingsService
import PartiesService
import Security
import ServiceRuntime
import SportsService
import TestSupport
import Testing

/// A service to start in a test.
struct Contract: Sendable, CustomTestStringConvertible {
    let description: ServiceDescription
    let make: @Sendable (ServiceResources, inout Environment) throws -> ServiceParts

    var testDescription: String { description.name }

    /// Which tokens a service takes.
    enum Tokens {
        /// `TestService`'s: "user 7".
        case plain
        /// Real ones, as `AccessToken` signs them.
        case signed
    }

    /// Starts the service without the work it does on its own: only its answers matter here.
    func run(
        tokens: Tokens = .plain, _ body: (TestService) async throws -> Void
    ) async throws {
        let make = self.make
        try await TestService.with(
            description, environment: ["DEMO_HISTORY_MINUTES": "1"],
            make: { resources, environment in
                var parts = try make(resources, &environment)
                parts.authenticator =
                    switch tokens {
                    case .plain: nil
                    case .signed: try AccessToken.authenticator(resources)
                    }
                parts.background = []
                return parts
            }, body)
    }

    static let all = [
        Contract(description: AuthService.description) { resources, _ in
            let configuration = AuthConfiguration(
                signingKey: try AccessToken.key.get(),
                clientSecrets: [.parties: AccessToken.partiesSecret])
            let hasher = PasswordHasher(cost: PasswordCost(logN: 4))
            return AuthService(resources, configuration: configuration, hasher: hasher).parts()
        },
        Contract(description: PartiesService.description) { resources, environment in
            PartiesService(resources, configuration: PartiesConfiguration(&environment)).parts()
        },
        Contract(description: MeetingsService.description) { resources, environment in
            MeetingsService(resources, configuration: MeetingsConfiguration(&environment)).parts()
        },
        Contract(description: MarketService.description) { resources, environment in
            MarketService(resources, configuration: MarketConfiguration(&environment)).parts()
        },
        Contract(description: SportsService.description) { resources, environment in
            // A small demo season: every start loads it.
            var configuration = SportsConfiguration(&environment)
            configuration.demoLeaguesPerCountry = 1
            return SportsService(resources, configuration: configuration).parts()
        },
    ]
}

extension Endpoint {
    /// The path with `value` in place of each parameter.
    static func path(with value: String) -> String {
        route.segments.map { segment in
            switch segment {
            case .literal(let text): "/" + text
            case .parameter: "/" + value
            }
        }.joined()
    }
}
