// Joins endpoint types to handlers and answers requests by them.
package import Endpoints
import HTTP
package import HTTPServer
import JSON

/// The endpoints of a service and what answers them. Built at start, then sealed and shared by all loops.
package final class Router: @unchecked Sendable {
    let tree = RouteTree<RouteEntry>()
    private(set) var entries: [RouteEntry] = []
    private var isSealed = false

    package init() {}

    /// Serves an endpoint. Traps when its route is taken.
    package func on<E: Endpoint>(
        _: E.Type, _ handler: @escaping @Sendable (E, Context) async throws -> E.Response
    ) {
        let status = E.status
        let isEmpty = E.Response.self == NoContent.self
        let body: RouteEntry.Respond = { match, context in
            let request = match.request
            let endpoint = try request.body.withUnsafeBytes { body throws(Problem) in
                try RequestCoding().decode(
                    E.self, parameters: match.parameters, query: request.query, body: body)
            }
            let response = try await handler(endpoint, context)
            if isEmpty { return HTTPResponse(status) }
            return HTTPResponse(
                status, contentType: "application/json",
                body: try JSONCoder.standard.encode(response))
        }
        add(RouteEntry(E.self, index: entries.count, respond: body))
    }

    /// Serves a path whose request or response is not JSON: uploads, upgrades, metrics. The handler reads
    /// `Context.request`.
    package func raw(
        _ route: Route, name: String, access: Access,
        _ handler: @escaping @Sendable (Context) async throws -> HTTPResponse
    ) {
        add(
            RouteEntry(route, name: name, access: access, index: entries.count) { _, context in
                try await handler(context)
            })
    }

    func add(_ entry: RouteEntry) {
        precondition(
            !isSealed || !entry.isEndpoint, "\(entry.route) was added after the router was sealed")
        tree.insert(entry.route, entry)
        entries.append(entry)
    }

    /// Ends the building. Traps unless each of `endpoints` has a handler, and each handler of an endpoint is among them.
    package func sealed(_ endpoints: [any Endpoint.Type]) -> Router {
        let declared = Set(endpoints.map { $0.route })
        let served = Set(entries.filter(\.isEndpoint).map(\.route))
        let missing = declared.subtracting(served).map(\.description).sorted()
        let extra = served.subtracting(declared).map(\.description).sorted()
        precondition(missing.isEmpty, "no handler for \(missing.joined(separator: ", "))")
        precondition(extra.isEmpty, "not in the endpoint list: \(extra.joined(separator: ", "))")
        isSealed = true
        return self
    }
}

/// A matched request on its way to a handler. The parameters point into the request, which is held beside them.
struct RouteMatch: @unchecked Sendable {
    let request: HTTPRequest
    let parameters: PathParameters
}

/// One route with all that is known of it before a request comes.
final class RouteEntry: Sendable {
    typealias Respond = @Sendable (RouteMatch, Context) async throws -> HTTPResponse

    let route: Route
    /// In metrics and logs.
    let name: String
    let access: Access
    /// Position in the per-loop metrics.
    let index: Int
    let respond: Respond
    let isEndpoint: Bool
    let rateLimit: RateLimit?
    let caching: Caching
    let problems: Set<String>
    /// Fields every success carries.
    let fields: [HTTPResponse.Field]

    init<E: Endpoint>(_: E.Type, index: Int, respond: @escaping Respond) {
        route = E.route
        name = E.name
        access = E.access
        self.index = index
        self.respond = respond
        isEndpoint = true
        rateLimit = E.rateLimit
        caching = E.caching
        problems = Set(E.problems.map(\.rawValue))
        fields = [HTTPResponse.Field("Cache-Control", E.caching.headerValue)]
    }

    init(
        _ route: Route, name: String, access: Access, index: Int, respond: @escaping Respond
    ) {
        self.route = route
        self.name = name
        self.access = access
        self.index = index
        self.respond = respond
        isEndpoint = false
        rateLimit = nil
        caching = .none
        problems = []
        fields = []
    }
}
