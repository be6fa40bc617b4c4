// Templates and what is derived from an endpoint's type.

import Endpoints
import Testing

@Suite struct RouteTests {
    @Test func segments() {
        let route = Route.get("/v1/parties/{party}/members")
        #expect(
            route.segments
                == [.literal("v1"), .literal("parties"), .parameter("party"), .literal("members")])
        #expect(route.parameterNames == ["party"])
        #expect(route.description == "GET /v1/parties/{party}/members")
        #expect(Route.put("/a").method == .put && Route.delete("/a").method == .delete)
    }

    @Test(arguments: [
        "v1", "/v1/", "//v1", "/v1/{}", "/v1/{a", "/v1/{a}b", "/v1/{a}/{a}", "/v1/{1a}", "/v1/ä",
        "/v1/{a-b}", "/v1/a b",
    ])
    func malformedTemplatesTrap(template: String) async {
        await #expect(processExitsWith: .failure) { [template] in
            _ = Route.get(template)
        }
    }

    @Test func defaults() {
        #expect(TouchNothing.status == 204)
        #expect(GetNothing.status == 200)
        #expect(AddThing.status == 201)
        #expect(GetNothing.name == "GetNothing")
        #expect(GetNothing.summary == "Get nothing")
        #expect(GetNothing.caching == .none && GetNothing.caching.headerValue == "no-store")
        #expect(Caching.private(seconds: 5).headerValue == "private, max-age=5")
        #expect(GetNothing.problems.isEmpty && GetNothing.rules.isEmpty)
        #expect(GetNothing.rateLimit == nil)
    }
}
