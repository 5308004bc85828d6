import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// Commits what simulated devices have stored to real files, and compares what both stores return.
struct FileReplay {
  /// The number of commits after which the file is opened anew and all of it is compared.
  private static let period = 16

  private let device: String
  private var memory = MemoryDeviceStore()
  private var file: DeviceFile
  private let folder: String
  private var zones: Set<ZoneID> = []
  private var types: Set<Name> = []
  private var notifications: [String] = []
  /// The number of notification IDs that were compared already.
  private var compared = 0

  /// The first difference between the disks of a story, by device, and files with the same transitions, as a sentence; nil
  /// if there is none. Throws if a file cannot be made.
  static func finding(_ histories: [String: [DeviceTransition]]) throws(StoreError) -> String? {
    for (device, transitions) in histories.sorted(by: { $0.key < $1.key }) {
      let folder = try Folder.makeTemporary()
      let result = Result { () throws(StoreError) in
        var replay = try FileReplay(device, in: folder)
        return try replay.finding(transitions)
      }
      try Folder.remove(folder)
      if let text = try result.get() { return text }
    }
    return nil
  }

  init(_ device: String, in folder: String) throws(StoreError) {
    self.device = device
    self.folder = folder
    file = try DeviceFile(folder: folder, durability: .off)
  }

  private mutating func finding(_ transitions: [DeviceTransition]) throws(StoreError) -> String? {
    for (number, transition) in transitions.enumerated() {
      try commit(transition)
      let isLast = number == transitions.count - 1
      guard (number + 1).isMultiple(of: Self.period) || isLast else { continue }
      file = try DeviceFile(folder: folder, durability: .off)
      // The IDs of a whole story are asked for once, at its end.
      if isLast { compared = 0 }
      defer { compared = notifications.count }
      guard let part = try difference else { continue }
      return "the file of \(device) has other \(part) than its disk in virtual time after commit \(number + 1)"
    }
    return nil
  }

  /// Commits a transition to both stores.
  mutating func commit(_ transition: DeviceTransition) throws(StoreError) {
    try memory.commit(transition)
    try file.commit(transition)
    zones.formUnion(transition.zones.map(\.zoneID) + transition.records.map(\.recordID.zoneID))
    types.formUnion(transition.records.map(\.recordType))
    notifications += transition.notifications.map(\.notificationID)
  }

  /// The part of the content in which the stores differ; nil if they do not.
  var difference: String? {
    get throws(StoreError) {
      if try memory.values() != file.values() { return "values" }
      if try memory.appValues() != file.appValues() { return "values of the app" }
      if try memory.zones() != file.zones() { return "zones" }
      if try memory.census() != file.census() { return "counts of records" }
      if try memory.waiting() != file.waiting() { return "counts of records that wait" }
      if try memory.quarantined(limit: 1_000) != file.quarantined(limit: 1_000) { return "records in quarantine" }
      if try memory.conflicts(limit: 1_000) != file.conflicts(limit: 1_000) { return "entries of the journal" }
      if try memory.traces(limit: 1_000) != file.traces(limit: 1_000) { return "traces" }
      for id in notifications[compared...] {
        if try memory.isKnown(notificationID: id) != file.isKnown(notificationID: id) { return "notification IDs" }
      }
      return try differenceOfRecords
    }
  }

  private var differenceOfRecords: String? {
    get throws(StoreError) {
      for zone in zones {
        if try memory.records(in: zone, metBefore: .max) != file.records(in: zone, metBefore: .max) { return "records" }
        guard
          try memory.pending(in: zone, after: -1, limit: 1_000) == file.pending(in: zone, after: -1, limit: 1_000)
        else { return "records that wait" }
      }
      for type in types {
        if try memory.records(ofType: type) != file.records(ofType: type) { return "records of type \(type)" }
        guard
          try memory.pending(ofType: type, after: -1, limit: 1_000)
            == file.pending(ofType: type, after: -1, limit: 1_000)
        else { return "records of type \(type) that wait" }
      }
      return nil
    }
  }
}
