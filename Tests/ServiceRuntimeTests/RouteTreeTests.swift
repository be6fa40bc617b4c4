// Which route a path finds.
import Endpoints
import HTTP
import ServiceRuntime
import Testing

@Suite struct RouteTreeTests {
    private let tree: RouteTree<String> = {
        let tree = RouteTree<String>()
        for route in [
            Route.get("/v1/parties/map"), .get("/v1/parties/{party}"),
            .delete("/v1/parties/{party}"),
            .get("/v1/parties/map/{zoom}/tiles"), .get("/v1/parties/{party}/members/{user}"),
            .post("/v1/parties"),
        ] {
            tree.insert(route, route.description)
        }
        return tree
    }()

    private func found(_ method: HTTPMethod, _ path: String) -> String {
        Array(path.utf8).withUnsafeBytes { bytes in
            switch tree.match(method, bytes) {
            case .found(let value, let parameters):
                let values = (0..<parameters.count).map {
                    String(decoding: parameters[$0], as: UTF8.self)
                }
                return ([value] + values).joined(separator: " ")
            case .wrongMethod(let allowed):
                return "405 " + allowed.map(\.rawValue).sorted().joined(separator: ",")
            case .nothing: return "404"
            }
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, "/v1/parties/map", "GET /v1/parties/map"),
        (.get, "/v1/parties/7", "GET /v1/parties/{party} 7"),
        (.head, "/v1/parties/7", "GET /v1/parties/{party} 7"),
        // The literal has no DELETE, the parameter has.
        (.delete, "/v1/parties/map", "DELETE /v1/parties/{party} map"),
        (.get, "/v1/parties/map/members/3", "GET /v1/parties/{party}/members/{user} map 3"),
        (.get, "/v1/parties/map/3/tiles", "GET /v1/parties/map/{zoom}/tiles 3"),
        (.put, "/v1/parties/7", "405 DELETE,GET"),
        (.get, "/v1/parties", "405 POST"),
        (.get, "/v1/parties/", "404"),
        (.get, "/v1/parties//members/3", "404"),
        (.get, "/v1/parties/7/", "404"),
        (.get, "/v1", "404"),
        (.get, "/", "404"),
        (.get, "*", "404"),
        (.get, "/V1/parties/map", "404"),
    ])
    func paths(method: HTTPMethod, path: String, expected: String) {
        #expect(found(method, path) == expected)
    }
}
