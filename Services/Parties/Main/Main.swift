// The parties service as a process.

import PartiesService
import ServiceRuntime

@main
struct Main {
    static func main() {
        ServiceMain.run(PartiesService.description) { resources, environment in
            let configuration = PartiesConfiguration(&environment)
            return PartiesService(resources, configuration: configuration).parts()
        }
    }
}
