// How a connection ends, RFC 6455, section 7.4, and the faults that end one.

/// A status code of a close frame.
package struct CloseCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = CloseCode(rawValue: 1000)
    /// The server stops, or the page is left.
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    /// Never sent: the peer's close frame had no code.
    package static let none = CloseCode(rawValue: 1005)
    /// Never sent: the connection broke without a close frame.
    package static let abnormal = CloseCode(rawValue: 1006)
    package static let invalidText = CloseCode(rawValue: 1007)
    /// A message that the service does not take.
    package static let policyViolation = CloseCode(rawValue: 1008)
    package static let messageTooBig = CloseCode(rawValue: 1009)
    package static let internalError = CloseCode(rawValue: 1011)
    /// The reader was too slow: connect again and catch up by cursor.
    package static let tryAgainLater = CloseCode(rawValue: 1013)

    /// Whether a close frame may carry the code: those that RFC 6455 and the IANA registry allow
    /// on the wire, and the ranges of libraries (3000) and applications (4000).
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// Why a connection must be failed.
package struct WebSocketFault: Error, Equatable, Sendable {
    /// 1002, 1007 or 1009.
    package let code: CloseCode
    /// For the peer's developer, at most 123 bytes.
    package let reason: String

    init(_ code: CloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
