import ZoneKitRecords

/// A copy of the values and zone states in a device's store, in memory.
struct DeviceMemory: Sendable {
  private(set) var values: [DeviceKey: DeviceValue] = [:]
  /// The zone states, in ascending order of zones.
  private(set) var zones: [ZoneState] = []
  /// The records that the user does not see yet. The store contains only whether there are any.
  private(set) var pendingReferences = PendingReferences()
  /// The keys that were set since `beginDraft`, some of them more than once.
  private var writtenKeys: [DeviceKey] = []

  /// The content of an empty store.
  init() {}

  /// The content of a store.
  init(reading store: some DeviceStore) throws(StoreError) {
    values = try store.values()
    zones = try store.zones()
    if integer(.pendingReferences) != nil {
      pendingReferences = try PendingReferences(recalledFrom: store, zones: zones)
    }
  }

  mutating func changePendingReferences(_ change: (inout PendingReferences) -> Void) {
    change(&pendingReferences)
    set(.pendingReferences, pendingReferences.isEmpty ? nil : Int64(1))
  }

  /// Joins what earlier drafts changed of the pending references with the rest, where no draft is open.
  mutating func settlePendingReferences() { pendingReferences.settle() }

  func text(_ key: DeviceKey) -> String? { values[key]?.text }
  func integer(_ key: DeviceKey) -> Int64? { values[key]?.integer }
  func time(_ key: DeviceKey) -> WallTime? { integer(key).map { WallTime(milliseconds: $0) } }

  mutating func set(_ key: DeviceKey, _ text: String?) { set(key, text.map { DeviceValue.text($0) }) }
  mutating func set(_ key: DeviceKey, _ integer: Int64?) { set(key, integer.map { DeviceValue.integer($0) }) }
  mutating func set(_ key: DeviceKey, _ time: WallTime?) { set(key, time?.milliseconds) }

  private mutating func set(_ key: DeviceKey, _ value: DeviceValue?) {
    values[key] = value
    writtenKeys.append(key)
  }

  mutating func count(_ key: DeviceKey) { set(key, (integer(key) ?? 0) + 1) }

  var deviceID: String { text(.deviceID) ?? Author.unnamedDevice }
  var account: Name? { text(.account).map { Name($0) } }

  /// The change token of a database's feed; nil before its first page.
  func databaseToken(of scope: DatabaseScope) -> ChangeToken? {
    DeviceKey.feedPosition(of: scope).flatMap { text($0.token) }.flatMap { ChangeToken($0).unlessEmpty }
  }

  /// The time at which `databaseToken(of:)` was stored; nil if there is no token.
  func databaseTokenTime(of scope: DatabaseScope) -> WallTime? {
    guard databaseToken(of: scope) != nil else { return nil }
    return DeviceKey.feedPosition(of: scope).flatMap { time($0.time) }
  }

  /// Remembers the change token of a database's feed and the time; both nil forget them.
  mutating func setDatabaseToken(_ token: ChangeToken?, of scope: DatabaseScope, at time: WallTime?) {
    guard let keys = DeviceKey.feedPosition(of: scope) else { return }
    set(keys.token, token?.text)
    set(keys.time, time)
  }

  /// Forgets the change tokens of all databases.
  mutating func forgetDatabaseTokens() {
    for scope in DatabaseScope.allCases { setDatabaseToken(nil, of: scope, at: nil) }
  }

  /// Whether a store with the content `other` contains the same values and zones.
  func isStored(as other: DeviceMemory) -> Bool { values == other.values && zones == other.zones }

  func zone(_ zoneID: ZoneID) -> ZoneState? { zones.first { $0.zoneID == zoneID } }

  mutating func setZone(_ zone: ZoneState) {
    let index = zones.firstIndex { !($0.zoneID < zone.zoneID) } ?? zones.count
    if index < zones.count, zones[index].zoneID == zone.zoneID {
      zones[index] = zone
    } else {
      zones.insert(zone, at: index)
    }
  }

  mutating func removeZone(_ zoneID: ZoneID) {
    zones.removeAll { $0.zoneID == zoneID }
    if !pendingReferences.isEmpty { changePendingReferences { _ = $0.end(zoneID) } }
  }

  mutating func removeZones() {
    zones = []
    if !pendingReferences.isEmpty { changePendingReferences { $0 = PendingReferences() } }
  }

  mutating func removeValues() {
    writtenKeys += values.keys.sorted { $0.rawValue < $1.rawValue }
    values = [:]
  }

  /// Increments the number of local changes and returns it.
  mutating func nextRevision() -> Int64 {
    let next = (integer(.revision) ?? 0) + 1
    set(.revision, next)
    return next
  }

  /// A draft begins, to which `valueChanges` refers.
  mutating func beginDraft() { writtenKeys = [] }

  /// The values that were written since the draft began and differ from those before it.
  func valueChanges(since earlier: DeviceMemory) -> [ValueChange] {
    var changes: [ValueChange] = []
    for (index, key) in writtenKeys.enumerated()
    where values[key] != earlier.values[key] && !writtenKeys[..<index].contains(key) {
      changes.append(ValueChange(key, values[key]))
    }
    return changes
  }

  /// The zone states that differ from an earlier state, without removed ones.
  func zoneChanges(since earlier: DeviceMemory) -> [ZoneState] {
    zones.filter { earlier.zone($0.zoneID) != $0 }
  }
}
