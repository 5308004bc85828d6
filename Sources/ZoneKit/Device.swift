import ZoneKitRecords
import ZoneKitSimulator

/// A handle to a device of a `World`. Copies are equivalent. It is valid as long as the world exists.
public struct Device: CustomStringConvertible {
  /// The world of the device.
  public let world: World
  let number: Int

  var state: SimulatedDevice { world.simulation.devices[number] }

  var reading: StoreReading { StoreReading(state.store) }

  /// The device's name.
  public var name: String { state.name }

  /// The device's name.
  public var description: String { name }

  /// The account that is signed in; nil if none is.
  public var account: Name? { state.account }

  /// The time of the wall clock.
  public var now: WallTime { world.simulation.moment(of: number).wall }

  /// The time zone; UTC at the start.
  public var timeZone: TimeZoneRules { state.timeZone }

  /// The calendar day in the time zone by the wall clock, such as `2026-11-21`.
  public var today: String { timeZone.day(of: now) }

  // MARK: Records

  /// Saves a record with exactly these fields, as the device's user.
  ///
  /// An existing record keeps its type. For a new record the type is the app's first one by default, and the zone is
  /// the app's first one by default. The stamp field is set automatically. Throws if the app is not running or the disk
  /// fails.
  public func save(
    _ name: Name, type: Name? = nil, in zone: ZoneID? = nil, _ fields: Fields
  ) throws(StoreError) {
    let id = id(name, in: zone)
    let type = type ?? reading.recordType(id) ?? world.app.recordTypes[0]
    try edit(.save(id, type: type, fields: fields, parent: reading.content(id)?.parent, stamping: .now))
  }

  /// Changes some fields of a record, and creates the record if it does not exist. Throws like `save`.
  public func change(
    _ name: Name, type: Name? = nil, in zone: ZoneID? = nil, _ change: (inout Fields) -> Void
  ) throws(StoreError) {
    var fields = record(name, in: zone) ?? Fields()
    change(&fields)
    try save(name, type: type, in: zone, fields)
  }

  /// Deletes a record. A record that does not exist counts as deleted. Throws like `save`.
  public func delete(_ name: Name, in zone: ZoneID? = nil) throws(StoreError) { try edit(.delete(id(name, in: zone))) }

  /// Makes several edits in one transaction: all are kept or none. Throws like `save`.
  public func edit(_ edits: RecordEdit...) throws(StoreError) { try world.simulation.edit(number, edits) }

  /// The fields of a record that the user sees; nil if there is none.
  public func record(_ name: Name, in zone: ZoneID? = nil) -> Fields? { reading.record(id(name, in: zone)) }

  /// The fields of all records of a type that the user sees, by record ID; of the app's first type by default.
  public func records(ofType type: Name? = nil) -> [RecordID: Fields] {
    reading.records(ofType: type ?? world.app.recordTypes[0])
  }

  private func id(_ name: Name, in zone: ZoneID?) -> RecordID {
    RecordID(recordName: name, zoneID: zone ?? world.app.zones[0])
  }

  // MARK: Diagnostics

  /// The device's diagnostics: its last push, its last fetch and the reason for it, pending changes, quarantine,
  /// subscription and conflicts. Throws if its disk cannot be read.
  public func diagnostics() throws(StoreError) -> DeviceDiagnostics {
    try state.coordinator.diagnostics(name: name, at: now)
  }

  /// The conflict journal, newest first: the losing versions of all decisions that the device made or fetched. Throws
  /// if its disk cannot be read.
  public func conflicts() throws(StoreError) -> [ConflictEntry] { try state.store.conflicts(limit: .max) }

  /// The number of requests that the device has sent.
  public var requestCount: Int { state.counters.requests }

  /// The number of pushes that the app has received.
  public var pushCount: Int { state.counters.pushes }

  /// Requests a sync, as a user does by pulling a list down.
  public func sync() { world.simulation.sync(number) }
}
