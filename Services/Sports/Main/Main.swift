// The sports executable.
import ServiceRuntime
import SportsService

@main
struct Main {
    static func main() {
        ServiceMain.run(SportsService.description) { resources, environment in
            SportsService(resources, configuration: SportsConfiguration(&environment)).parts()
        }
    }
}
