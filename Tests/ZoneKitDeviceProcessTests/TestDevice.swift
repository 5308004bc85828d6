import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTableClient

/// The process of Swiss Coin on a device with an operating system, which does not run yet, and the device's time.
struct TestDevice {
  var process: DeviceProcess<MemoryDeviceStore, SplitMix64>
  /// The time since the start, in milliseconds.
  var milliseconds: Int64 = 0

  init() throws {
    let app = DeviceApp.swissCoin
    process = try DeviceProcess(
      app: app, store: MemoryDeviceStore(), configuration: app.configuration, generator: SplitMix64(seed: 1),
      life: DeviceLife())
  }

  var moment: Moment { Moment(wall: WallTime(milliseconds: 1_800_000_000_000 + milliseconds), monotonic: now) }

  var now: MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  /// Starts the process for that account, nil for none. `effects` carries out what follows.
  mutating func start(account: Name?, session: StoredSession? = nil) throws {
    try process.open()
    try process.start(account: account, session: session, at: now)
  }

  /// What the process asks for until it has nothing to do. Its edits are written, and it is started when it is to be.
  mutating func effects() throws -> [DeviceEffect] {
    var effects: [DeviceEffect] = []
    while process.depth > 0 {
      guard let effect = process.next(at: moment) else { continue }
      effects.append(effect)
      switch effect {
      case .launch: try start(account: nil)
      case .edit(let edit): try process.edit(edit.edits, setting: edit.values, at: moment)
      default: break
      }
    }
    return effects
  }
}
