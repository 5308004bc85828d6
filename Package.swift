// swift-tools-version: 6.2
import PackageDescription

/// Pure targets hold the rules: no unsafe code, no driver, no warning. `Scripts/check` adds the import table.
let pure: [SwiftSetting] = [.strictMemorySafety(), .treatAllWarnings(as: .error)]

/// Drivers may touch pointers; a warning is an error there too.
let driver: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "ZoneKit",
  products: [
    .executable(name: "zonekit", targets: ["zonekit"])
  ],
  targets: [
    .target(name: "Records", swiftSettings: pure),
    .target(name: "ZoneServer", dependencies: ["Records"], swiftSettings: pure),
    .target(name: "PushGateway", dependencies: ["Records"], swiftSettings: pure),
    .target(name: "SyncCoordinator", dependencies: ["Records"], swiftSettings: pure),
    .target(name: "NannyAndMe", dependencies: ["Records", "SyncCoordinator"], swiftSettings: pure),
    .target(name: "Wire", dependencies: ["Records"], swiftSettings: pure),
    .target(
      name: "Simulator",
      dependencies: ["Records", "ZoneServer", "PushGateway", "SyncCoordinator", "Wire"],
      swiftSettings: pure),

    .systemLibrary(name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "EventLoop", dependencies: ["CUV"], swiftSettings: driver),
    .target(
      name: "Storage",
      dependencies: ["Records", "ZoneServer", "SyncCoordinator", "CSQLite"],
      swiftSettings: driver),
    .target(
      name: "Service",
      dependencies: [
        "Records", "ZoneServer", "PushGateway", "SyncCoordinator", "Wire", "EventLoop", "Storage",
      ],
      swiftSettings: driver),
    .executableTarget(
      name: "zonekit",
      dependencies: [
        "Records", "ZoneServer", "SyncCoordinator", "NannyAndMe", "Wire", "EventLoop", "Storage", "Service",
        "Simulator",
      ],
      swiftSettings: driver),

    .target(
      name: "StoreConformance",
      dependencies: ["Records", "ZoneServer", "SyncCoordinator"],
      path: "Tests/StoreConformance", swiftSettings: driver),
    .testTarget(name: "RecordsTests", dependencies: ["Records", "Simulator"], swiftSettings: driver),
    .testTarget(name: "WireTests", dependencies: ["Wire", "Records", "Simulator"], swiftSettings: driver),
    .testTarget(
      name: "ZoneServerTests", dependencies: ["ZoneServer", "Simulator", "StoreConformance"],
      swiftSettings: driver),
    .testTarget(
      name: "PushGatewayTests", dependencies: ["PushGateway", "Records"], swiftSettings: driver),
    .testTarget(
      name: "SyncCoordinatorTests",
      dependencies: ["SyncCoordinator", "Simulator", "StoreConformance", "Records", "ZoneServer"],
      swiftSettings: driver),
    .testTarget(
      name: "NannyAndMeTests", dependencies: ["NannyAndMe", "Records", "Simulator", "SyncCoordinator", "ZoneServer"],
      swiftSettings: driver),
    .testTarget(
      name: "SimulatorTests",
      dependencies: ["Simulator", "Records", "SyncCoordinator", "PushGateway", "ZoneServer"],
      swiftSettings: driver),
    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: driver),
    .testTarget(
      name: "StorageTests",
      dependencies: ["Storage", "StoreConformance", "Records", "ZoneServer", "SyncCoordinator", "CSQLite", "CCrypto"],
      swiftSettings: driver),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Service", "Simulator", "Records", "Storage", "SyncCoordinator", "ZoneServer", "EventLoop", "Wire",
      ],
      swiftSettings: driver),
  ],
  swiftLanguageModes: [.v6]
)
