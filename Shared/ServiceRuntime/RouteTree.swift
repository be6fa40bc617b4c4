// Finds the endpoint of a path by comparing bytes, one segment at a time. A literal segment wins over a parameter; when
// the rest of the path does not match behind it, the parameter is tried.
package import Endpoints
package import HTTP

/// One node a segment.
package final class RouteTree<Value>: @unchecked Sendable {
    private var literals: [(name: [UInt8], node: RouteTree)] = []
    private var parameter: RouteTree?
    private var values: [(method: Route.Method, value: Value)] = []

    /// What a look-up found.
    package enum Match {
        case found(Value, PathParameters)
        case wrongMethod(allowed: [Route.Method])
        case nothing
    }

    package init() {}

    /// Adds a route; traps when it is there already.
    package func insert(_ route: Route, _ value: Value) {
        var node = self
        for segment in route.segments {
            switch segment {
            case .literal(let name): node = node.literalChild(Array(name.utf8))
            case .parameter:
                let child = node.parameter ?? RouteTree()
                node.parameter = child
                node = child
            }
        }
        precondition(
            !node.values.contains { $0.method == route.method }, "\(route) is routed twice")
        node.values.append((route.method, value))
    }

    private func literalChild(_ name: [UInt8]) -> RouteTree {
        if let child = literals.first(where: { $0.name == name }) { return child.node }
        let child = RouteTree()
        literals.append((name, child))
        return child
    }

    package func match(_ method: HTTPMethod, _ path: UnsafeRawBufferPointer) -> Match {
        var parameters = PathParameters(path: path)
        var nearest: RouteTree?
        guard path.count > 0, path[0] == 0x2F else { return .nothing }
        if let value = find(method, path, 1, &parameters, &nearest) {
            return .found(value, parameters)
        }
        guard let nearest else { return .nothing }
        return .wrongMethod(allowed: nearest.values.map(\.method))
    }

    private func find(
        _ method: HTTPMethod, _ path: UnsafeRawBufferPointer, _ start: Int,
        _ parameters: inout PathParameters, _ nearest: inout RouteTree?
    ) -> Value? {
        var end = start
        while end < path.count && path[end] != 0x2F { end += 1 }
        let isLast = end == path.count
        for (name, node) in literals where name.count == end - start {
            let equal = name.withUnsafeBytes { expected in
                path.slice(start, end).elementsEqual(expected)
            }
            guard equal else { continue }
            if let value = node.step(isLast, method, path, end, &parameters, &nearest) {
                return value
            }
            break
        }
        guard let parameter, end > start else { return nil }
        let count = parameters.count
        parameters.append(start..<end)
        if let value = parameter.step(isLast, method, path, end, &parameters, &nearest) {
            return value
        }
        parameters.truncate(to: count)
        return nil
    }

    private func step(
        _ isLast: Bool, _ method: HTTPMethod, _ path: UnsafeRawBufferPointer, _ end: Int,
        _ parameters: inout PathParameters, _ nearest: inout RouteTree?
    ) -> Value? {
        if !isLast { return find(method, path, end + 1, &parameters, &nearest) }
        if values.isEmpty { return nil }
        for (candidate, value) in values where Self.serves(candidate, method) { return value }
        if nearest == nil { nearest = self }
        return nil
    }

    /// GET answers HEAD too; the server leaves the body out.
    private static func serves(_ route: Route.Method, _ method: HTTPMethod) -> Bool {
        switch (route, method) {
        case (.get, .get), (.get, .head), (.head, .head), (.post, .post), (.put, .put),
            (.patch, .patch), (.delete, .delete):
            true
        default: false
        }
    }
}
