// The sports service: its dependencies and its wiring.
import Endpoints
import Postgres
package import ServiceRuntime
import SportsAPI
import Vocabulary

/// What an operator may set beside what the runtime reads.
package struct SportsConfiguration: Sendable {
    /// Leagues of each country in the demo season.
    package var demoLeaguesPerCountry: Int

    /// Reads the variables.
    package init(_ environment: inout Environment) {
        demoLeaguesPerCountry = environment.integer(
            "DEMO_LEAGUES_PER_COUNTRY", default: DemoSeason.leaguesPerCountry,
            1...DemoSeason.leaguesPerCountry)
    }
}

/// Leagues, who follows them, and the matches of a day.
package struct SportsService: Sendable {
    package static let description = ServiceDescription(
        name: "sports", summary: "Leagues of many countries, who follows them, and their matches.",
        version: "0.1.0", port: 8085, endpoints: SportsAPI.endpoints,
        migrations: [
            Migration("m0001_create_sports", PackageResources.m0001_create_sports_sql)
        ])

    /// Where everything comes from until there is a provider.
    static let source = DemoSeason.source

    let database: Database
    let clock: WallClock
    private let loader: DemoLoader

    package init(_ resources: ServiceResources, configuration: SportsConfiguration) {
        database = resources.database
        clock = resources.clock
        loader = DemoLoader(
            database: resources.database, clock: resources.clock, log: resources.log,
            leaguesPerCountry: configuration.demoLeaguesPerCountry)
    }

    package func parts() -> ServiceParts {
        let loader = self.loader
        return ServiceParts(
            router: router(), preparation: { try await loader.load() },
            background: [{ await loader.keepCurrent() }])
    }

    private func router() -> Router {
        let router = Router()
        router.on(ListCountries.self, listCountries)
        router.on(ListLeagues.self, listLeagues)
        router.on(GetLeague.self, getLeague)
        router.on(FollowLeague.self, followLeague)
        router.on(UnfollowLeague.self, unfollowLeague)
        router.on(ListFollows.self, listFollows)
        router.on(ListTeams.self, listTeams)
        router.on(ListFixtures.self, listFixtures)
        return router.sealed(SportsAPI.endpoints)
    }
}
