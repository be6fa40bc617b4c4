// The auth executable.
import AuthService
import ServiceRuntime

@main
struct Main {
    static func main() {
        ServiceMain.run(AuthService.description) { resources, environment in
            AuthService(resources, configuration: try AuthConfiguration(&environment)).parts()
        }
    }
}
