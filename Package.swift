// swift-tools-version: 6.2
// The dependency graph, one line a target. Dependencies point down; RepositoryTests holds the line.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A library under Shared/.
func shared(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", swiftSettings: settings)
}

/// The contract of a service: endpoints and DTOs, nothing that needs a server.
func api(_ name: String) -> Target {
    shared(name, ["Endpoints", "Vocabulary"])
}

/// A service as a library that tests can run in process, and its executable. What lies in the folders of `data` becomes part
/// of the executable, like migrations.
func service(
    _ name: String, peers: [Target.Dependency] = [], data: [String] = []
) -> [Target] {
    let library = name + "Service"
    return [
        .target(
            name: library,
            dependencies: [
                .byName(name: name + "API"), "Endpoints", "EventLoop", "HTTPServer", "JSON",
                "Postgres", "Security", "ServiceRuntime", "Vocabulary", "WebSocket",
            ] + peers,
            path: "Services/\(name)", exclude: ["Main", "README.md", "openapi.json"],
            resources: (["Migrations"] + data).map { .embedInCode($0) }, swiftSettings: settings),
        .executableTarget(
            name: name.lowercased(), dependencies: [.byName(name: library), "ServiceRuntime"],
            path: "Services/\(name)/Main", swiftSettings: settings),
    ]
}

/// Tests of one module.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], data: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
        exclude: data, swiftSettings: settings)
}

let package = Package(
    name: "Madang",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(
            name: "MadangClient",
            targets: [
                "MadangClient", "Endpoints", "Vocabulary", "AuthAPI", "PartiesAPI", "MeetingsAPI",
                "MarketAPI", "SportsAPI",
            ])
    ],
    targets: [
        .target(name: "CLinux", path: "Shared/CLinux"),
        .systemLibrary(name: "CPostgres", path: "Shared/CPostgres", pkgConfig: "libpq"),
        .systemLibrary(name: "COpenSSL", path: "Shared/COpenSSL", pkgConfig: "openssl"),
        .systemLibrary(name: "CCurl", path: "Shared/CCurl", pkgConfig: "libcurl"),

        shared("Vocabulary"),
        shared("JSON"),
        shared("HTTP"),
        shared("EventLoop", ["CLinux"]),
        shared("HTTPServer", ["EventLoop", "HTTP", "CLinux"]),
        shared("HTTPClient", ["EventLoop", "HTTP", "CLinux", "CCurl"]),
        shared("WebSocket", ["EventLoop", "HTTP", "HTTPClient", "HTTPServer"]),
        shared("Endpoints", ["Vocabulary", "JSON"]),
        shared("OpenAPI", ["Endpoints", "JSON", "Vocabulary"]),
        shared("Postgres", ["CPostgres", "EventLoop", "Vocabulary", "CLinux"]),
        shared("Security", ["COpenSSL", "JSON", "Vocabulary"]),
        shared(
            "ServiceRuntime",
            [
                "AuthAPI", "Endpoints", "EventLoop", "HTTP", "HTTPClient", "HTTPServer", "JSON",
                "OpenAPI", "Postgres", "Security", "Vocabulary", "WebSocket", "CLinux",
            ]),

        api("AuthAPI"),
        api("PartiesAPI"),
        api("MeetingsAPI"),
        api("MarketAPI"),
        api("SportsAPI"),
        shared(
            "MadangClient",
            [
                "Endpoints", "JSON", "Vocabulary", "AuthAPI", "PartiesAPI", "MeetingsAPI",
                "MarketAPI", "SportsAPI",
            ]),
    ]
        + service("Auth")
        + service("Parties", peers: ["AuthAPI"], data: ["Gazetteer"])
        + service("Meetings", peers: ["AuthAPI", "PartiesAPI"])
        + service("Market")
        + service("Sports")
        + [
            .target(
                name: "TestSupport",
                dependencies: [
                    "AuthAPI", "EventLoop", "HTTP", "HTTPClient", "HTTPServer", "Postgres",
                    "ServiceRuntime", "Endpoints", "JSON", "Security", "Vocabulary",
                ],
                path: "Tests/TestSupport", swiftSettings: settings),
            tests("SecurityTests", ["Security", "EventLoop", "JSON", "Vocabulary"]),
            tests("VocabularyTests", ["Vocabulary", "JSON"]),
            .target(
                name: "DemoScenario",
                dependencies: [
                    "MadangClient", "Endpoints", "Vocabulary", "AuthAPI", "PartiesAPI",
                    "MeetingsAPI", "MarketAPI", "SportsAPI",
                ], path: "Tests/Demo/Scenario", swiftSettings: settings),
            .executableTarget(
                name: "demo", dependencies: ["DemoScenario"], path: "Tests/Demo",
                exclude: ["Scenario"], swiftSettings: settings),
            tests(
                "EndToEndTests",
                [
                    "DemoScenario", "MadangClient", "AuthAPI", "PartiesAPI", "MeetingsAPI",
                    "MarketAPI", "SportsAPI", "Endpoints", "Postgres", "ServiceRuntime",
                    "Vocabulary",
                ]),
            .executableTarget(
                name: "benchmark-server",
                dependencies: [
                    "Endpoints", "EventLoop", "HTTPServer", "JSON", "Postgres", "Security",
                    "ServiceRuntime", "Vocabulary", "WebSocket",
                ],
                path: "Tests/Benchmarks/BenchmarkServer", swiftSettings: settings),
            .executableTarget(
                name: "postgres-benchmark", dependencies: ["Postgres", "EventLoop"],
                path: "Tests/Benchmarks/PostgresBenchmark", swiftSettings: settings),
            tests(
                "AuthTests",
                ["AuthService", "AuthAPI", "Endpoints", "Security", "ServiceRuntime", "Vocabulary"]),
            tests(
                "MarketTests",
                ["MarketService", "MarketAPI", "Endpoints", "JSON", "ServiceRuntime", "Vocabulary"]),
            tests(
                "ServiceRuntimeTests",
                ["AuthAPI", "Endpoints", "EventLoop", "HTTP", "ServiceRuntime", "Vocabulary"]),
            tests("JSONTests", ["JSON"]),
            tests("EventLoopTests", ["EventLoop"]),
            .executableTarget(
                name: "json-benchmark", dependencies: ["JSON"],
                path: "Tests/Benchmarks/JSONBenchmark", swiftSettings: settings),
            tests("PostgresTests", ["Postgres", "EventLoop", "Vocabulary"]),
            tests("HTTPTests", ["HTTP"]),
            tests("HTTPServerTests", ["CLinux", "EventLoop", "HTTP", "HTTPServer"]),
            tests("HTTPClientTests", ["CLinux", "EventLoop", "HTTP", "HTTPClient", "HTTPServer"]),
            tests(
                "WebSocketTests",
                ["WebSocket", "EventLoop", "HTTP", "HTTPServer", "HTTPClient"]),
            tests("EndpointsTests", ["Endpoints", "JSON", "Vocabulary"]),
            tests(
                "OpenAPITests", ["OpenAPI", "Endpoints", "JSON", "Vocabulary"],
                data: ["library.json"]),
            tests(
                "MadangClientTests",
                [
                    "MadangClient", "AuthAPI", "Endpoints", "EventLoop", "HTTP", "HTTPServer",
                    "JSON", "Vocabulary",
                ]),
            .testTarget(
                name: "RepositoryTests", path: "Tests/RepositoryTests",
                exclude: ["migrations.txt"], swiftSettings: settings),
            tests(
                "ContractTests",
                [
                    "AuthService", "PartiesService", "MeetingsService", "MarketService",
                    "SportsService", "AuthAPI", "PartiesAPI", "MeetingsAPI", "MarketAPI",
                    "SportsAPI", "Endpoints", "JSON", "Postgres", "Security", "ServiceRuntime",
                    "Vocabulary",
                ]),
            tests(
                "PactTests",
                [
                    "AuthService", "PartiesService", "MeetingsService", "MarketService",
                    "SportsService", "AuthAPI", "PartiesAPI", "MeetingsAPI", "MarketAPI",
                    "SportsAPI", "Endpoints", "JSON", "Security", "ServiceRuntime",
                    "Vocabulary",
                ], data: ["Pacts"]),
            tests(
                "PartiesTests",
                ["PartiesService", "PartiesAPI", "Endpoints", "ServiceRuntime", "Vocabulary"]),
            tests(
                "SportsTests",
                [
                    "SportsService", "SportsAPI", "Endpoints", "Postgres", "ServiceRuntime",
                    "Vocabulary",
                ]),
            tests(
                "MeetingsTests",
                [
                    "MeetingsService", "MeetingsAPI", "PartiesAPI", "Endpoints", "ServiceRuntime",
                    "Vocabulary",
                ]),
        ]
)

/// A fuzzer of one module. It has no main of its own and links only with libFuzzer: make fuzz.
func fuzzer(_ name: String, _ module: Target.Dependency) -> Target {
    .executableTarget(
        name: "fuzz-\(name)", dependencies: [module], path: "Tests/Fuzz/\(name)",
        exclude: ["corpus"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

if Context.environment["FUZZ"] != nil {
    package.targets += [
        fuzzer("RequestHead", "HTTP"), fuzzer("ResponseHead", "HTTP"), fuzzer("JSONText", "JSON"),
        fuzzer("WebSocketFrames", "WebSocket"),
    ]
}

// docker/Dockerfile has the shared sources and those of one service, so that nothing else can change its image.
if let service = Context.environment["IMAGE_OF"] {
    package.products = []
    package.targets.removeAll { target in
        let path = (target.path ?? "").lowercased()
        let isOfService = !service.isEmpty && path.hasPrefix("services/\(service.lowercased())")
        return path.hasPrefix("shared/madangclient") || !path.hasPrefix("shared/") && !isOfService
    }
    // Nor has it what people and tests read, and an exclusion of what isn't there is warned of.
    for target in package.targets { target.exclude.removeAll { $0 != "Main" } }
}
