// The services' clocks are ahead: what ends by time has ended, in the real executables.

import AuthAPI
import DemoScenario
import Endpoints
import Foundation
import MadangClient
import PartiesAPI
import ServiceRuntime
import TestSupport
import Testing
import Vocabulary

extension EndToEndTests {
    @Test func timeIsInjected() async throws {
        try await Fleet.with { fleet in
            try await fleet.startAll()
            let people = try await fleet.demo().signUp()
            let party = try await people.minji.send(
                CreateParty(
                    title: "공항", origin: Point(name: "강남역", latitude: 37.5, longitude: 127),
                    destination: Point(name: "공항", latitude: 37.46, longitude: 126.44),
                    departsAt: WallClock.system.now().adding(seconds: 3600), seats: 2))
            let joined = try await people.jun.send(JoinParty(party: party.id))
            #expect(joined.state == .full)
            let first = try #require(try await people.minji.session)
            #expect(try !fleet.log(.parties).contains("CLOCK_OFFSET_SECONDS is 3660"))

            // A quarter of an hour is an access token's life; the rest is the party's.
            for name in ServiceName.allCases {
                #expect(await fleet.stop(name) == 0)
                try await fleet.start(name, clockOffsetSeconds: 3660)
            }
            try await fleet.becomesReady()
            let transport = URLSessionTransport(baseURL: fleet.edge)
            for _ in 0..<2 {
                let refused = try #require(
                    await problem {
                        try await EndpointClient(
                            transport: transport, headers: [], token: { first.accessToken }
                        ).send(GetParty(party: party.id))
                    })
                #expect(refused.code == .accessTokenExpired)
            }
            let seen = try await people.minji.send(GetParty(party: party.id))
            #expect(seen.state == .departed)
            #expect(try await people.minji.session?.accessToken != first.accessToken)
            let late = try #require(
                await problem {
                    try await people.minji.send(
                        CreateParty(
                            title: "공항", origin: party.origin, destination: party.destination,
                            departsAt: WallClock.system.now().adding(seconds: 3600), seats: 2))
                })
            #expect(late.field == "departsAt", "an hour from now is past there")
            #expect(try fleet.log(.parties).contains("CLOCK_OFFSET_SECONDS is 3660"))
        }
    }
}
