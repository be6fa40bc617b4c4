// Names for points on the map, from the gazetteer that comes with the service: it needs no key and no network.

import Endpoints
import PartiesAPI
import ServiceRuntime
import Vocabulary

extension PartiesService {
    func findAddress(_ request: FindAddress, _ context: Context) async throws -> Address {
        try address(latitude: request.latitude, longitude: request.longitude)
    }

    func findAddressForPeer(
        _ request: FindAddressForPeer, _ context: Context
    ) async throws -> Address {
        try address(latitude: request.latitude, longitude: request.longitude)
    }

    private func address(latitude: Double, longitude: Double) throws(Problem) -> Address {
        guard let point = Coordinate(latitude: latitude, longitude: longitude),
            let (district, meters) = gazetteer.nearest(to: point)
        else { throw Problem(.notFound, "No known place is near this point.") }
        return Address(
            name: district.name, language: "ko", precision: .district, distanceMeters: meters,
            source: "gazetteer")
    }
}
