// Short ways to write JSON values down.

import JSON

extension JSONValue {
    /// An object with its members in this order.
    static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members))
    }
}
