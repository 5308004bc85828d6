import ZoneKitDeviceHost
import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitSimulator
import ZoneKitSync

/// Two devices of one account in a simulated world, each with the app, which is told of changes and looks at nothing else.
struct Family {
  /// What can be seen of a device.
  struct Device {
    var app: NannyApp
    /// What the device holds.
    var store: MemoryDeviceStore
  }

  private var world: World
  private var apps = [NannyApp(user: "nanny"), NannyApp(user: "nanny")]
  /// How many of the changes that each app is to be told of it was told of.
  private var told = [0, 0]
  private var generator = SplitMix64(seed: 1)

  /// Two devices that have launched and are in agreement with an empty cloud.
  init() throws {
    var options = World.Options()
    options.start = morning
    options.container = NannyZone.container
    world = World(options)
    world.worldLog = WorldLog()
    let app = DeviceApp("Family", configuration: .nanny, container: NannyZone.container, zones: [NannyZone.zoneID]) {
      _ in
      StatelessApp { (line, _) throws(AppRefusal) in throw AppRefusal("\(line): the family's own app does this") }
    }
    for name in ["A", "B"] { world.start(try world.addDevice(named: name, app: app, account: "nanny")) }
    try settle()
  }

  var devices: [Device] { zip(apps, world.devices).map { Device(app: $0, store: $1.store) } }

  /// How many requests the devices sent.
  var requestCount: Int { world.worldLog?.requests.count ?? 0 }

  /// Does what a command asks for on that device.
  mutating func run(_ line: String, on index: Int) throws {
    let command = try NannyCommand(parsing: line)
    try save(apps[index].perform(command, now: world.wall, using: &generator).edits, on: index)
  }

  /// Imports a share file on that device, and gives the report.
  @discardableResult
  mutating func importing(_ text: String, on index: Int) throws -> ImportReport {
    let plan = try ShareImport(Array(text.utf8), into: apps[index], now: world.wall, clock: StampClock())
    try save(plan.edits, on: index)
    return plan.report
  }

  /// What the device exports of its current profile.
  func exported(on index: Int) throws -> String {
    String(decoding: try DeviceApp.Export(of: apps[index], at: morning).files[0].text, as: UTF8.self)
  }

  /// Takes the device's link away, or gives it back.
  mutating func setOnline(_ isOnline: Bool, _ index: Int) { world.setOnline(index, isOnline) }

  /// Lets half a minute pass, which is more than any debounce and less than the daily fallback.
  mutating func settle() throws { try wait(minutes: 0.5) }

  /// Lets time pass, and each app know at once of what changed.
  mutating func wait(minutes: Double) throws {
    let end = world.now.advanced(byMilliseconds: Int64(minutes * 60_000))
    let counts = { (world: World) in [0, 1].map { world.worldLog?.shown[$0]?.count ?? 0 } }
    while world.run(until: end, stopWhen: { [told] in counts($0) != told }) {
      for index in apps.indices {
        let changed = world.worldLog?.shown[index]?.dropFirst(told[index]) ?? []
        told[index] += changed.count
        try apps[index].refresh(Array(changed), from: world.devices[index].store)
        if !changed.isEmpty { try save(apps[index].repairs.map(\.edit), on: index) }
      }
    }
  }

  private mutating func save(_ edits: [RecordEdit], on index: Int) throws {
    try world.edit(index, edits)
    try apps[index].refresh(edits.map(\.recordID), from: world.devices[index].store)
  }
}
