// `make demo`: four kinds of app in one sitting, through the edge at MADANG_URL. Says each step, and ends with 1 at the first
// that fails.
import DemoScenario
import Foundation

@main
struct Main {
    static func main() async {
        let address = ProcessInfo.processInfo.environment["MADANG_URL"] ?? "http://localhost:8080"
        guard let url = URL(string: address) else {
            print("MADANG_URL is not an address: \(address)")
            exit(2)
        }
        print("Madang demo through \(address)")
        let demo = Demo(edge: url) { print($0) }
        do {
            try await demo.run()
        } catch {
            print("    \(error)")
            exit(1)
        }
        print("All \(demo.steps) steps went well.")
    }
}
