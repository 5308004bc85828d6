import ZoneKitRecords

/// Detects a record that this device and others keep overwriting, and holds its next write back until the changes
/// become less frequent.
///
/// The counts are in memory only, so a restart resets them.
struct StormDetector: Hashable, Sendable {
  /// The most records that are observed at the same time.
  static let countLimit = 4_096

  private struct Watch: Hashable, Sendable {
    /// When this device sent the record after a change by another device.
    var writes: [MonotonicTime] = []
    var devices: [String] = []
    var hasForeignChange = false

    mutating func changed(by deviceID: String) {
      hasForeignChange = true
      if !devices.contains(deviceID) { devices.append(deviceID) }
    }
  }

  let limit: Int
  /// In milliseconds.
  let window: Int64
  private var watches: [RecordID: Watch] = [:]

  init(limit: Int, window: Int64) {
    self.limit = limit
    self.window = window
  }

  /// Another device changed the record.
  mutating func changed(_ recordID: RecordID, by deviceID: String, now: MonotonicTime) {
    if watches.count >= Self.countLimit, watches[recordID] == nil {
      // Records that this device did not write recently are removed.
      watches = watches.filter { !recentWrites($0.value, now: now).isEmpty }
      guard watches.count < Self.countLimit else { return }
    }
    watches[recordID, default: Watch()].changed(by: deviceID)
  }

  /// This device is about to send the record. Returns the other devices if the limit is reached.
  mutating func sent(_ recordID: RecordID, now: MonotonicTime) -> [String]? {
    guard var watch = watches[recordID], watch.hasForeignChange else { return nil }
    watch.hasForeignChange = false
    watch.writes = recentWrites(watch, now: now) + [now]
    watches[recordID] = watch
    return watch.writes.count == limit ? watch.devices : nil
  }

  /// The time until which the record is held back; nil if it may be sent.
  func heldUntil(_ recordID: RecordID, now: MonotonicTime) -> MonotonicTime? {
    guard let watch = watches[recordID] else { return nil }
    let recent = recentWrites(watch, now: now)
    guard recent.count >= limit else { return nil }
    return recent[0].advanced(byMilliseconds: window)
  }

  private func recentWrites(_ watch: Watch, now: MonotonicTime) -> [MonotonicTime] {
    watch.writes.filter { $0.advanced(byMilliseconds: window) > now }
  }
}
