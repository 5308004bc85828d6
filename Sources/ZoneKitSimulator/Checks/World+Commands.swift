import ZoneKitDeviceHost
import ZoneKitRecords

/// Checks of what commands of users change.
extension World {
  /// The user's versions of all records of the app on a device.
  func usersRecords(on device: Int) -> [RecordID: RecordContent] {
    var contents: [RecordID: RecordContent] = [:]
    for zone in devices[device].app.zones {
      // The coordinator reports a store that cannot be read.
      for record in (try? devices[device].store.records(in: zone, metBefore: .max)) ?? [] {
        contents[record.recordID] = record.local
      }
    }
    return contents
  }

  /// Checks that a command changed what the app's rules say, and nothing else. `before` are the records before it.
  mutating func judgeCommand(_ line: String, _ before: [RecordID: RecordContent], on device: Int) {
    guard devices[device].isRunning else { return }
    let after = usersRecords(on: device)
    guard before != after else { return }
    let ids = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    let changes = ids.map { DeviceApp.Change($0, from: before[$0], to: after[$0]) }
    guard let text = devices[device].app.simulation.judgeCommand(line, changes) else { return }
    report(Violation(.strayEdit, at: now, on: devices[device].name, text), on: .device(device))
  }
}
