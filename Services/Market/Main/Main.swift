// The market executable.
import MarketService
import ServiceRuntime

@main
struct Main {
    static func main() {
        ServiceMain.run(MarketService.description) { resources, environment in
            MarketService(resources, configuration: MarketConfiguration(&environment)).parts()
        }
    }
}
