// A socket address as a value, because sockaddr is three C types under one pointer.
import Glibc

/// An IPv4 or IPv6 address with a port.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// A numeric address, without asking anybody; `nil` for a name.
    init?(numeric host: String, port: Int = 0) {
        var ipv4 = sockaddr_in()
        var ipv6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &ipv4.sin_addr) == 1 {
            ipv4.sin_family = sa_family_t(AF_INET)
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &storage) { target in
                withUnsafeBytes(of: ipv4) { target.copyMemory(from: $0) }
            }
        } else if inet_pton(AF_INET6, host, &ipv6.sin6_addr) == 1 {
            ipv6.sin6_family = sa_family_t(AF_INET6)
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutableBytes(of: &storage) { target in
                withUnsafeBytes(of: ipv6) { target.copyMemory(from: $0) }
            }
        } else {
            return nil
        }
        setPort(port)
    }

    /// Copies what the resolver found; `nil` for other families.
    init?(_ found: addrinfo) {
        guard let address = found.ai_addr,
            found.ai_family == AF_INET || found.ai_family == AF_INET6,
            Int(found.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
        else { return nil }
        length = found.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { target in
            target.copyMemory(
                from: UnsafeRawBufferPointer(start: address, count: Int(found.ai_addrlen)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func with(port: Int) -> SocketAddress {
        var copy = self
        copy.setPort(port)
        return copy
    }

    private mutating func setPort(_ port: Int) {
        withUnsafeMutableBytes(of: &storage) {
            // sin_port and sin6_port both follow the two bytes of the family.
            $0.storeBytes(of: UInt16(port).bigEndian, toByteOffset: 2, as: UInt16.self)
        }
    }

    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
