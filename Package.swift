// swift-tools-version: 6.2
import PackageDescription

/// Pure targets hold the rules: no unsafe code, no driver, no warning. `Scripts/check` adds the import table.
let pure: [SwiftSetting] = [.strictMemorySafety(), .treatAllWarnings(as: .error)]

/// Drivers may touch pointers; a warning is an error there too.
let driver: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "ZoneKit",
  products: [
    .executable(name: "zonekit", targets: ["ZoneKitCommandLine"]),
    .library(name: "ZoneKit", targets: ["ZoneKit"]),
    .library(name: "ZoneKitServer", targets: ["ZoneKitServer"]),
  ],
  targets: [
    .target(name: "ZoneKitRecords", swiftSettings: pure),
    .target(name: "ZoneKitMetrics", swiftSettings: pure),
    .target(name: "ZoneKitCloud", dependencies: ["ZoneKitRecords"], swiftSettings: pure),
    .target(name: "ZoneKitTables", dependencies: ["ZoneKitRecords", "ZoneKitRelations"], swiftSettings: pure),
    .target(name: "ZoneKitSchema", dependencies: ["ZoneKitRecords"], swiftSettings: pure),
    .target(name: "ZoneKitRelations", dependencies: ["ZoneKitRecords"], swiftSettings: pure),
    .target(
      name: "ZoneKitExpressions", dependencies: ["ZoneKitRecords", "ZoneKitSchema", "ZoneKitRelations"],
      swiftSettings: pure),
    .target(
      name: "ZoneKitRelationServer",
      dependencies: [
        "ZoneKitRecords", "ZoneKitSchema", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue",
        "ZoneKitTables",
      ],
      swiftSettings: pure),
    .target(
      name: "ZoneKitCatalogue", dependencies: ["ZoneKitSchema", "ZoneKitRelations", "ZoneKitExpressions"],
      swiftSettings: pure),
    .target(name: "ZoneKitDocuments", dependencies: ["ZoneKitRecords"], swiftSettings: pure),
    .target(
      name: "ZoneKitDocumentServer", dependencies: ["ZoneKitRecords", "ZoneKitDocuments", "ZoneKitCloud"],
      swiftSettings: pure),
    .target(
      name: "ZoneKitDietLog",
      dependencies: ["ZoneKitRecords", "ZoneKitDocuments", "ZoneKitSync", "ZoneKitDeviceHost"], swiftSettings: pure),
    .target(
      name: "ZoneKitOwnApps",
      dependencies: [
        "ZoneKitRecords", "ZoneKitDocuments", "ZoneKitRelations", "ZoneKitTables", "ZoneKitSync", "ZoneKitDeviceHost",
      ],
      swiftSettings: pure),
    .target(
      name: "ZoneKitTableClient", dependencies: ["ZoneKitRecords", "ZoneKitTables", "ZoneKitRelations"],
      swiftSettings: pure),
    .target(
      name: "ZoneKitSwissCoin",
      dependencies: ["ZoneKitRecords", "ZoneKitTables", "ZoneKitSync", "ZoneKitDeviceHost"], swiftSettings: pure),
    .target(
      name: "ZoneKitTableServer", dependencies: ["ZoneKitRecords", "ZoneKitTables", "ZoneKitCloud"],
      swiftSettings: pure),
    .target(name: "ZoneKitPush", dependencies: ["ZoneKitRecords"], swiftSettings: pure),
    .target(
      name: "ZoneKitCloudProcess",
      dependencies: [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitPush", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitDocuments",
        "ZoneKitDocumentServer", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue", "ZoneKitRelationServer",
      ],
      swiftSettings: pure),
    .target(name: "ZoneKitSync", dependencies: ["ZoneKitRecords"], swiftSettings: pure),
    .target(
      name: "ZoneKitDeviceHost",
      dependencies: ["ZoneKitRecords", "ZoneKitSync", "ZoneKitTables", "ZoneKitDocuments", "ZoneKitWire"],
      swiftSettings: pure),
    .target(
      name: "ZoneKitDeviceProcess",
      dependencies: [
        "ZoneKitRecords", "ZoneKitSync", "ZoneKitTables", "ZoneKitRelations", "ZoneKitTableClient", "ZoneKitDeviceHost",
      ],
      swiftSettings: pure),
    .target(
      name: "ZoneKitNannyAndMe", dependencies: ["ZoneKitRecords", "ZoneKitSync", "ZoneKitDeviceHost"],
      swiftSettings: pure),
    .target(
      name: "ZoneKitWire",
      dependencies: ["ZoneKitRecords", "ZoneKitMetrics", "ZoneKitTables", "ZoneKitRelations", "ZoneKitDocuments"],
      swiftSettings: pure),
    .target(
      name: "ZoneKitScenarios",
      dependencies: [
        "ZoneKitRecords", "ZoneKitSync", "ZoneKitTables", "ZoneKitDocuments", "ZoneKitDeviceHost", "ZoneKitWire",
      ],
      swiftSettings: pure),
    .target(name: "ZoneKitTimeline", dependencies: ["ZoneKitRecords"], swiftSettings: pure),
    .target(
      name: "ZoneKitMemoryStores",
      dependencies: [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitRelations",
        "ZoneKitExpressions", "ZoneKitCatalogue", "ZoneKitRelationServer",
      ],
      swiftSettings: pure),
    .target(
      name: "ZoneKitSimulator",
      dependencies: [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitPush", "ZoneKitSync", "ZoneKitWire", "ZoneKitScenarios",
        "ZoneKitTimeline", "ZoneKitDeviceHost", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitTableClient",
        "ZoneKitDocuments", "ZoneKitDocumentServer", "ZoneKitMemoryStores", "ZoneKitCloudProcess",
        "ZoneKitDeviceProcess", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue", "ZoneKitRelationServer",
      ],
      swiftSettings: pure),
    .target(
      name: "ZoneKit",
      dependencies: [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitScenarios", "ZoneKitTimeline", "ZoneKitMemoryStores",
        "ZoneKitSimulator", "ZoneKitDeviceHost",
      ],
      swiftSettings: driver),

    .systemLibrary(name: "ZoneKitCUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "ZoneKitCSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "ZoneKitCCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "ZoneKitCWslay", providers: [.apt(["libwslay-dev"])]),
    .systemLibrary(name: "ZoneKitCEdit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(
      name: "ZoneKitCHTTPParser", path: "Diagnostics/Fuzz/HTTPParser", providers: [.apt(["libhttp-parser-dev"])]),
    .systemLibrary(name: "ZoneKitCPgQuery", providers: [.apt(["libpg-query-dev"])]),
    .target(name: "ZoneKitCCatalogue", exclude: ["files.inc"]),
    .target(name: "ZoneKitCPage"),
    .target(name: "ZoneKitThreads", swiftSettings: driver),
    .target(name: "ZoneKitEventLoop", dependencies: ["ZoneKitThreads", "ZoneKitCUV"], swiftSettings: driver),
    .target(name: "ZoneKitWebSocket", dependencies: ["ZoneKitCWslay"], swiftSettings: driver),
    .target(
      name: "ZoneKitSQL", dependencies: ["ZoneKitRecords", "ZoneKitSchema", "ZoneKitThreads", "ZoneKitCPgQuery"],
      swiftSettings: driver),
    .target(name: "ZoneKitLineEditor", dependencies: ["ZoneKitCEdit"], swiftSettings: driver),
    .target(
      name: "ZoneKitStorage",
      dependencies: [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitThreads",
        "ZoneKitCSQLite", "ZoneKitSchema", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue",
        "ZoneKitRelationServer", "ZoneKitMetrics",
      ],
      swiftSettings: driver),
    .target(
      name: "ZoneKitService",
      dependencies: [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitPush", "ZoneKitSync", "ZoneKitDeviceHost", "ZoneKitWire",
        "ZoneKitTables", "ZoneKitTableServer", "ZoneKitTableClient", "ZoneKitDocuments", "ZoneKitDocumentServer",
        "ZoneKitCloudProcess", "ZoneKitDeviceProcess", "ZoneKitEventLoop", "ZoneKitWebSocket", "ZoneKitStorage",
        "ZoneKitSchema", "ZoneKitSQL", "ZoneKitMetrics",
        "ZoneKitCatalogue", "ZoneKitExpressions", "ZoneKitRelations", "ZoneKitRelationServer", "ZoneKitCCrypto",
        "ZoneKitCPage",
      ],
      swiftSettings: driver),
    .target(
      name: "ZoneKitProcesses",
      dependencies: [
        "ZoneKitRecords", "ZoneKitSync", "ZoneKitDeviceHost", "ZoneKitWire", "ZoneKitScenarios", "ZoneKitThreads",
        "ZoneKitEventLoop", "ZoneKitStorage", "ZoneKitService", "ZoneKitTables",
      ],
      swiftSettings: driver),
    .target(
      name: "ZoneKitServer",
      dependencies: [
        "ZoneKitRecords", "ZoneKitSchema", "ZoneKitRelationServer", "ZoneKitTables", "ZoneKitDocuments",
        "ZoneKitThreads", "ZoneKitEventLoop", "ZoneKitStorage", "ZoneKitService", "ZoneKitCloud", "ZoneKitWire",
        "ZoneKitMemoryStores",
      ],
      swiftSettings: driver),
    .executableTarget(
      name: "ZoneKitCommandLine",
      dependencies: [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitPush", "ZoneKitSync", "ZoneKitNannyAndMe", "ZoneKitWire",
        "ZoneKitEventLoop", "ZoneKitStorage", "ZoneKitService", "ZoneKitScenarios", "ZoneKitTimeline",
        "ZoneKitSimulator", "ZoneKitProcesses", "ZoneKitDeviceHost", "ZoneKitTables", "ZoneKitTableClient",
        "ZoneKitSwissCoin", "ZoneKitDocuments", "ZoneKitDietLog", "ZoneKitOwnApps", "ZoneKitCCatalogue",
        "ZoneKitLineEditor", "ZoneKitThreads",
        "ZoneKitMemoryStores",
      ],
      swiftSettings: driver),

    .target(
      name: "ZoneKitStoreConformance",
      dependencies: ["ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitTables", "ZoneKitTableServer"],
      path: "Tests/ZoneKitStoreConformance", swiftSettings: driver),
    .target(
      name: "ZoneKitAppDevice",
      dependencies: ["ZoneKitRecords", "ZoneKitSync", "ZoneKitDeviceHost", "ZoneKitMemoryStores"],
      path: "Tests/ZoneKitAppDevice", swiftSettings: driver),
    .testTarget(
      name: "ZoneKitRecordsTests", dependencies: ["ZoneKitRecords"], swiftSettings: driver),
    .testTarget(name: "ZoneKitMetricsTests", dependencies: ["ZoneKitMetrics"], swiftSettings: driver),
    .testTarget(
      name: "ZoneKitWireTests",
      dependencies: [
        "ZoneKitWire", "ZoneKitMetrics", "ZoneKitRecords", "ZoneKitTables", "ZoneKitDocuments", "ZoneKitDietLog",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitCloudTests", dependencies: ["ZoneKitCloud", "ZoneKitMemoryStores", "ZoneKitStoreConformance"],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitTablesTests", dependencies: ["ZoneKitTables", "ZoneKitRecords"],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitSQLTests", dependencies: ["ZoneKitSQL", "ZoneKitSchema", "ZoneKitRecords"], swiftSettings: driver),
    .target(
      name: "ZoneKitSchemaFixtures", dependencies: ["ZoneKitSchema", "ZoneKitSQL", "ZoneKitRecords"],
      path: "Tests/ZoneKitSchemaFixtures", swiftSettings: driver),
    .testTarget(
      name: "ZoneKitExpressionsTests",
      dependencies: ["ZoneKitExpressions", "ZoneKitSQL", "ZoneKitSchema", "ZoneKitRelations", "ZoneKitRecords"],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitRelationServerTests",
      dependencies: [
        "ZoneKitRelationServer", "ZoneKitMemoryStores", "ZoneKitCatalogue", "ZoneKitExpressions", "ZoneKitRelations",
        "ZoneKitSchema", "ZoneKitSchemaFixtures", "ZoneKitRecords", "ZoneKitTables", "ZoneKitWire",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitCatalogueTests",
      dependencies: ["ZoneKitCatalogue", "ZoneKitSchemaFixtures", "ZoneKitSchema", "ZoneKitRelations"],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitSchemaTests",
      dependencies: ["ZoneKitSchema", "ZoneKitSchemaFixtures", "ZoneKitSQL", "ZoneKitRecords"],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitRelationsTests", dependencies: ["ZoneKitRelations", "ZoneKitRecords"], swiftSettings: driver),
    .testTarget(
      name: "ZoneKitDocumentsTests",
      dependencies: ["ZoneKitDocuments", "ZoneKitDietLog", "ZoneKitRecords"], swiftSettings: driver),
    .testTarget(
      name: "ZoneKitDietLogTests",
      dependencies: [
        "ZoneKitDietLog", "ZoneKitDocuments", "ZoneKitRecords", "ZoneKitSimulator", "ZoneKitScenarios", "ZoneKitSync",
        "ZoneKitDeviceHost", "ZoneKitAppDevice",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitOwnAppsTests",
      dependencies: [
        "ZoneKitOwnApps", "ZoneKitDocuments", "ZoneKitRelations", "ZoneKitRecords", "ZoneKitSimulator",
        "ZoneKitScenarios", "ZoneKitSync", "ZoneKitDeviceHost", "ZoneKitAppDevice",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitDocumentServerTests",
      dependencies: [
        "ZoneKitDocumentServer", "ZoneKitDocuments", "ZoneKitDietLog", "ZoneKitRecords", "ZoneKitCloud",
        "ZoneKitMemoryStores",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitTableClientTests",
      dependencies: [
        "ZoneKitTableClient", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitRecords", "ZoneKitCloud",
        "ZoneKitMemoryStores", "ZoneKitCatalogue", "ZoneKitExpressions", "ZoneKitRelationServer", "ZoneKitRelations",
        "ZoneKitSchema", "ZoneKitSchemaFixtures", "ZoneKitWire",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitSwissCoinTests",
      dependencies: [
        "ZoneKitSwissCoin", "ZoneKitTables", "ZoneKitRecords", "ZoneKitSimulator", "ZoneKitScenarios", "ZoneKitSync",
        "ZoneKitDeviceHost", "ZoneKitAppDevice",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitTableServerTests",
      dependencies: [
        "ZoneKitTableServer", "ZoneKitTables", "ZoneKitRecords", "ZoneKitCloud", "ZoneKitMemoryStores",
        "ZoneKitStoreConformance",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitPushTests", dependencies: ["ZoneKitPush", "ZoneKitRecords"], swiftSettings: driver),
    .testTarget(
      name: "ZoneKitCloudProcessTests",
      dependencies: [
        "ZoneKitCloudProcess", "ZoneKitRecords", "ZoneKitCloud", "ZoneKitPush", "ZoneKitTables", "ZoneKitTableServer",
        "ZoneKitDocuments", "ZoneKitDocumentServer", "ZoneKitDietLog", "ZoneKitSwissCoin", "ZoneKitMemoryStores",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitDeviceProcessTests",
      dependencies: [
        "ZoneKitDeviceProcess", "ZoneKitDeviceHost", "ZoneKitRecords", "ZoneKitSync", "ZoneKitTables",
        "ZoneKitTableClient", "ZoneKitSwissCoin", "ZoneKitMemoryStores",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitSyncTests",
      dependencies: [
        "ZoneKitSync", "ZoneKitScenarios", "ZoneKitMemoryStores", "ZoneKitStoreConformance", "ZoneKitRecords",
        "ZoneKitCloud", "ZoneKitDeviceHost",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitDeviceHostTests",
      dependencies: ["ZoneKitDeviceHost", "ZoneKitRecords", "ZoneKitSimulator", "ZoneKitTables"], swiftSettings: driver),
    .testTarget(
      name: "ZoneKitNannyAndMeTests",
      dependencies: [
        "ZoneKitNannyAndMe", "ZoneKitRecords", "ZoneKitMemoryStores", "ZoneKitSimulator", "ZoneKitSync", "ZoneKitCloud",
        "ZoneKitDeviceHost",
        "ZoneKitStoreConformance",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitScenariosTests", dependencies: ["ZoneKitScenarios", "ZoneKitRecords"],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitTimelineTests", dependencies: ["ZoneKitTimeline", "ZoneKitRecords"],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitSimulatorTests",
      dependencies: [
        "ZoneKitSimulator", "ZoneKitMemoryStores", "ZoneKitScenarios", "ZoneKitTimeline", "ZoneKitRecords",
        "ZoneKitSync",
        "ZoneKitPush", "ZoneKitCloud", "ZoneKitDeviceHost", "ZoneKitTables", "ZoneKitTableServer",
        "ZoneKitCloudProcess", "ZoneKitRelations", "ZoneKitRelationServer", "ZoneKitCatalogue", "ZoneKitSchema",
        "ZoneKitSchemaFixtures",
      ],
      swiftSettings: driver),
    .testTarget(name: "ZoneKitTests", dependencies: ["ZoneKit"], swiftSettings: driver),
    .testTarget(name: "ZoneKitServerTests", dependencies: ["ZoneKitServer"], swiftSettings: driver),
    .testTarget(
      name: "ZoneKitEventLoopTests", dependencies: ["ZoneKitThreads", "ZoneKitEventLoop", "ZoneKitRecords"],
      swiftSettings: driver),
    .testTarget(name: "ZoneKitWebSocketTests", dependencies: ["ZoneKitWebSocket"], swiftSettings: driver),
    .testTarget(
      name: "ZoneKitStorageTests",
      dependencies: [
        "ZoneKitStorage", "ZoneKitStoreConformance", "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitTables",
        "ZoneKitTableServer", "ZoneKitThreads", "ZoneKitCSQLite", "ZoneKitCCrypto", "ZoneKitSchema", "ZoneKitRelations",
        "ZoneKitExpressions",
        "ZoneKitCatalogue", "ZoneKitRelationServer", "ZoneKitMemoryStores", "ZoneKitSchemaFixtures",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitServiceTests",
      dependencies: [
        "ZoneKitService", "ZoneKitSimulator", "ZoneKitMemoryStores", "ZoneKitRecords", "ZoneKitStorage", "ZoneKitSync",
        "ZoneKitCloud",
        "ZoneKitTables", "ZoneKitTableServer", "ZoneKitEventLoop", "ZoneKitWire", "ZoneKitDeviceHost",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitKeyValueTests",
      dependencies: [
        "ZoneKitService", "ZoneKitRecords", "ZoneKitStorage", "ZoneKitEventLoop", "ZoneKitWire", "ZoneKitSync",
        "ZoneKitDeviceHost", "ZoneKitSimulator",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitProcessesTests",
      dependencies: [
        "ZoneKitProcesses", "ZoneKitRecords", "ZoneKitWire", "ZoneKitScenarios", "ZoneKitSimulator",
        "ZoneKitEventLoop", "ZoneKitStorage", "ZoneKitService", "ZoneKitDeviceHost", "ZoneKitSwissCoin",
        "ZoneKitDocumentServer", "ZoneKitDietLog",
      ],
      swiftSettings: driver),
    .testTarget(
      name: "ZoneKitCommandLineTests",
      dependencies: [
        "ZoneKitCommandLine", "ZoneKitDeviceHost", "ZoneKitRecords", "ZoneKitScenarios", "ZoneKitSimulator",
        "ZoneKitStorage", "ZoneKitSync", "ZoneKitThreads",
      ],
      swiftSettings: driver),
  ],
  swiftLanguageModes: [.v6], cLanguageStandard: .gnu2x
)

/// The properties of Diagnostics/Fuzz are tests of the kept corpora. `Scripts/fuzz` builds them as the program of libFuzzer
/// instead, with the variable ZONEKIT_FUZZ.
let fuzzed: [Target.Dependency] = ["ZoneKitRecords", "ZoneKitCloud", "ZoneKitWire", "ZoneKitCHTTPParser"]
package.targets.append(
  Context.environment["ZONEKIT_FUZZ"] == nil
    ? .testTarget(
      name: "ZoneKitFuzzTests", dependencies: fuzzed, path: "Diagnostics/Fuzz",
      exclude: ["Corpus", "Fuzzer", "HTTPParser"], sources: ["Properties", "Replay"], swiftSettings: driver)
    : .executableTarget(
      name: "ZoneKitFuzzer", dependencies: fuzzed, path: "Diagnostics/Fuzz",
      exclude: ["Corpus", "Replay", "HTTPParser"], sources: ["Properties", "Fuzzer"], swiftSettings: driver))
