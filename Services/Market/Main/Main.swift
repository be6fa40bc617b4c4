// The market executable.
import MarketService
import ServiceRuntime

@main
struct Main {
    static func main() {
        ServiceMain.run(MarketService.description) { resources, _ in
            MarketService(resources).parts()
        }
    }
}
