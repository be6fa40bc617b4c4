// A document as a request would carry it: about 1 kB, nested, of strings, numbers and optionals.

struct Order: Codable, Equatable {
    var id: Int
    var customer: Customer
    var stops: [Stop]
    var tags: [String]
    var totals: Totals
    var isPaid: Bool
    var note: String?
    var coupon: String?
    var createdAt: String
}

struct Customer: Codable, Equatable {
    var id: Int
    var name: String
    var email: String
    var phone: String?
    var address: Address
}

struct Address: Codable, Equatable {
    var street: String
    var city: String
    var country: String
    var location: Location
}

struct Location: Codable, Equatable {
    var latitude: Double
    var longitude: Double
}

struct Stop: Codable, Equatable {
    var name: String
    var location: Location
    var passengers: [Int]
    var waitMinutes: Int
}

struct Totals: Codable, Equatable {
    var amount: Int64
    var currency: String
    var distanceMeters: Double
    var discount: Int?
}

extension Order {
    static let sample = Order(
        id: 4_503_599_627_370_495,
        customer: Customer(
            id: 918_273, name: "Kim Minji", email: "minji.kim@example.com", phone: nil,
            address: Address(
                street: "31 Sejong-daero, Jung-gu", city: "서울", country: "KR",
                location: Location(latitude: 37.566_535, longitude: 126.977_969_2))),
        stops: (1...4).map { number in
            Stop(
                name: "Gangnam station exit \(number)",
                location: Location(
                    latitude: 37.497_942 + Double(number) / 1000,
                    longitude: 127.027_621 - Double(number) / 1000),
                passengers: Array(1...number), waitMinutes: number * 3)
        },
        tags: ["airport", "night", "large luggage", "quiet ride"],
        totals: Totals(amount: 48_200, currency: "KRW", distanceMeters: 18_250.5, discount: 1500),
        isPaid: true, note: "Please ring at the \"north\" gate", coupon: nil,
        createdAt: "2026-01-31T09:30:00.25Z")
}
