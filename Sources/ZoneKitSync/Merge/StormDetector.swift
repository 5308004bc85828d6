import ZoneKitRecords

/// Notices a record that this device and others keep overwriting, and holds its next write back until things calm down.
///
/// Held in memory: a restart begins a new count.
struct StormDetector: Hashable, Sendable {
  /// The most records that are watched at once.
  static let countLimit = 4_096

  private struct Watch: Hashable, Sendable {
    /// When this device sent the record after a change from elsewhere.
    var writes: [MonotonicTime] = []
    var devices: [String] = []
    var hasForeignChange = false
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
    if watches[recordID] == nil, watches.count >= Self.countLimit {
      // Those that this device did not write lately make no storm.
      watches = watches.filter { !recentWrites($0.value, now: now).isEmpty }
      guard watches.count < Self.countLimit else { return }
    }
    var watch = watches[recordID] ?? Watch()
    watch.hasForeignChange = true
    if !watch.devices.contains(deviceID) { watch.devices.append(deviceID) }
    watches[recordID] = watch
  }

  /// This device is about to send the record. Returns the other devices if that makes a storm.
  mutating func sent(_ recordID: RecordID, now: MonotonicTime) -> [String]? {
    guard var watch = watches[recordID], watch.hasForeignChange else { return nil }
    watch.hasForeignChange = false
    watch.writes = recentWrites(watch, now: now) + [now]
    watches[recordID] = watch
    return watch.writes.count == limit ? watch.devices : nil
  }

  /// Until when the record is to be held back; nil where it may be sent.
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
