// Whose word about a client's address counts.
import ServiceRuntime
import Testing

@Suite struct TrustedProxiesTests {
    @Test(arguments: [
        ("127.0.0.1,::1", "127.0.0.1", true), ("127.0.0.1,::1", "::1", true),
        ("127.0.0.1,::1", "127.0.0.2", false), ("10.0.0.0/8", "10.255.0.1", true),
        ("10.0.0.0/8", "11.0.0.1", false), ("172.16.0.0/12", "172.31.255.255", true),
        ("172.16.0.0/12", "172.32.0.0", false), ("10.1.2.3/8", "10.9.9.9", true),
        ("192.0.2.7", "::ffff:192.0.2.7", true), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
        ("fd00::/8, 10.0.0.0/8", "fd12::3", true), ("fd00::/8, 10.0.0.0/8", "10.0.0.1", true),
        ("fd00::/8", "fe00::1", false), ("10.0.0.0/8", "edge", false), ("10.0.0.0/8", "", false),
        ("", "127.0.0.1", false),
    ])
    func networksAndAddresses(text: String, address: String, isTrusted: Bool) throws {
        #expect(try #require(TrustedProxies(text)).contains(address) == isTrusted)
    }

    @Test(arguments: [
        "edge", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0/8", "::/129",
        "/8", "10.0.0.1;10.0.0.2",
    ])
    func whatIsNeitherIsRefused(text: String) {
        #expect(TrustedProxies(text) == nil)
    }

    @Test func thisMachineByDefault() {
        #expect(TrustedProxies.loopback.contains("127.0.0.1"))
        #expect(TrustedProxies.loopback.contains("::1"))
        #expect(!TrustedProxies.loopback.contains("10.0.0.1"))
    }
}
