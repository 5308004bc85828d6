import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableClient

/// The names of devices by their IDs, so that people can name a device in a fault as they name it elsewhere. They come from
/// the devices of the data directory, and from what devices say on the push socket.
final class DeviceNames {
  /// The devices that say hello on the push socket.
  var greeted: () -> [(deviceID: String, name: String)] = { [] }
  private let data: DataDirectory?
  /// The name of each device whose folder was read, by its ID. An ID without a folder has an empty name.
  private var known: [String: String] = [:]

  /// The names of the devices in a data directory.
  init(in data: DataDirectory? = nil) { self.data = data }

  /// The names of the device with that ID, without the ID. `greeted` are the devices that say hello on the push socket.
  func names(of id: String, greeted: [(deviceID: String, name: String)]? = nil) -> [String] {
    if known[id] == nil { read(id) }
    let folder = known[id].flatMap { $0.isEmpty ? nil : $0 }
    return ([folder].compactMap(\.self) + (greeted ?? self.greeted()).filter { $0.deviceID == id }.map(\.name)).filter {
      $0 != id
    }
  }

  /// Whether a device has that name or ID.
  func knows(_ name: String) -> Bool {
    ((try? data?.deviceNames()) ?? []).contains(name) || greeted().contains { $0.deviceID == name || $0.name == name }
      || known[name]?.isEmpty == false
  }

  /// How pushes reach the device with that name or ID in the data directory; nil if it has none of that name.
  func pushWays(to device: String) -> Set<FaultReach.PushWay>? {
    let name = known[device].flatMap { $0.isEmpty ? nil : $0 } ?? device
    guard ((try? data?.deviceNames()) ?? []).contains(name), let folder = try? data?.device(name),
      let file = try? DeviceFile.readOnly(folder: folder)
    else { return nil }
    // A device of tables has a session, and one with notifications a push token.
    let hasToken = (try? file.values()[.pushToken]) != nil
    let hasSession = (try? file.appValues()[StoredSession.key]) != nil
    return Set((hasToken ? [.notifications] : []) + (hasSession ? [.events] : []))
  }

  /// Reads the IDs of all devices of the directory. A device has its ID before it sends anything, so an ID that none has
  /// belongs to another client.
  private func read(_ id: String) {
    for name in (try? data?.deviceNames()) ?? [] {
      guard let folder = try? data?.device(name), let file = try? DeviceFile.readOnly(folder: folder),
        let own = try? file.values()[.deviceID]?.text
      else { continue }
      known[own] = name
    }
    if known[id] == nil { known[id] = "" }
  }
}
