// Which peers may say whom they speak for. An edge in a container has another address after every start, so networks count
// as well as addresses.
import Glibc

/// Addresses and networks whose `X-Forwarded-For` is believed.
package struct TrustedProxies: Sendable {
    private let networks: [Network]

    /// IPv6, and IPv4 as it is mapped into IPv6 (RFC 4291, 2.5.5.2), so that one comparison serves both.
    private struct Network {
        let base: UInt128
        let mask: UInt128
    }

    /// This machine.
    package static let loopback = TrustedProxies(networks: [
        Network(base: 0xFFFF_7F00_0001, mask: .max), Network(base: 1, mask: .max),
    ])

    private init(networks: [Network]) {
        self.networks = networks
    }

    /// - Parameter text: addresses and networks (`10.0.0.0/8`, `fd00::/8`) with commas between.
    /// - Returns: `nil` when an entry is neither.
    package init?(_ text: String) {
        var networks: [Network] = []
        for entry in text.split(separator: ",") {
            let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
            guard let base = Self.number(parts[0].filter { $0 != " " }) else { return nil }
            var bits = 128
            if parts.count > 1 {
                let offset = parts[0].contains(":") ? 0 : 96
                guard parts.count == 2, let given = Int(parts[1]), (0...(128 - offset)) ~= given
                else { return nil }
                bits = given + offset
            }
            let mask = bits == 0 ? 0 : UInt128.max << (128 - bits)
            networks.append(Network(base: base & mask, mask: mask))
        }
        self.networks = networks
    }

    /// - Parameter address: numeric; anything else is not trusted.
    package func contains(_ address: String) -> Bool {
        guard !networks.isEmpty, let number = Self.number(address) else { return false }
        return networks.contains { number & $0.mask == $0.base }
    }

    private static func number(_ address: String) -> UInt128? {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            return 0xFFFF_0000_0000 | UInt128(UInt32(bigEndian: four.s_addr))
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
        return withUnsafeBytes(of: &six) { bytes in
            bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        }
    }
}
