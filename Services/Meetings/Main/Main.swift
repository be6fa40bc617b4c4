// The meetings service as a process.

import MeetingsService
import ServiceRuntime

@main
struct Main {
    static func main() {
        ServiceMain.run(MeetingsService.description) { resources, environment in
            let configuration = MeetingsConfiguration(&environment)
            return MeetingsService(resources, configuration: configuration).parts()
        }
    }
}
