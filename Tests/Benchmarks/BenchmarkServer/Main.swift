// The benchmark-server executable.
import ServiceRuntime

@main
struct Main {
    static func main() {
        ServiceMain.run(BenchmarkService.description) { resources, _ in
            try BenchmarkService(resources).parts()
        }
    }
}
