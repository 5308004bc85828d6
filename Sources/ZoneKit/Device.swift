import ZoneKitRecords
import ZoneKitSimulator

/// A handle to one device of a world. It can be copied, and it is valid as long as its world.
public struct Device: CustomStringConvertible {
  /// The world that it belongs to.
  public let world: World
  let number: Int

  var state: SimulatedDevice { world.simulation.devices[number] }

  var reading: StoreReading { StoreReading(state.store) }

  /// The device's name.
  public var name: String { state.name }

  /// Its name.
  public var description: String { name }

  /// Who is signed in; nil where nobody is.
  public var account: Name? { state.account }

  /// What its wall clock shows.
  public var now: WallTime { world.simulation.moment(of: number).wall }

  // MARK: Records

  /// The user saves a record with exactly these fields.
  ///
  /// A record that is there keeps its type; a new one gets the app's first type unless one is named. The zone is the
  /// app's first one unless one is named. The stamp field is set by itself.
  /// Throws where the app does not run or the disk fails.
  public func save(
    _ name: Name, type: Name? = nil, in zone: ZoneID? = nil, _ fields: Fields
  ) throws(StoreError) {
    let id = id(name, in: zone)
    let type = type ?? reading.recordType(id) ?? world.app.recordTypes[0]
    try edit(.save(id, type: type, fields: fields, parent: reading.content(id)?.parent, stamping: .now))
  }

  /// The user changes some fields of a record, which is made where it is not there. Throws as `save` does.
  public func change(
    _ name: Name, type: Name? = nil, in zone: ZoneID? = nil, _ change: (inout Fields) -> Void
  ) throws(StoreError) {
    var fields = record(name, in: zone) ?? Fields()
    change(&fields)
    try save(name, type: type, in: zone, fields)
  }

  /// The user deletes a record; one that is not there counts as deleted. Throws as `save` does.
  public func delete(_ name: Name, in zone: ZoneID? = nil) throws(StoreError) { try edit(.delete(id(name, in: zone))) }

  /// The user makes several edits at once: all are kept or none. Throws as `save` does.
  public func edit(_ edits: RecordEdit...) throws(StoreError) { try world.simulation.edit(number, edits) }

  /// The fields that the user sees of a record; nil where they see none.
  public func record(_ name: Name, in zone: ZoneID? = nil) -> Fields? { reading.record(id(name, in: zone)) }

  /// The fields of all records of a type that the user sees, by record; of the app's first type unless one is named.
  public func records(ofType type: Name? = nil) -> [RecordID: Fields] {
    reading.records(ofType: type ?? world.app.recordTypes[0])
  }

  private func id(_ name: Name, in zone: ZoneID?) -> RecordID {
    RecordID(recordName: name, zoneID: zone ?? world.app.zones[0])
  }

  // MARK: What the device knows

  /// The state of the device: its last push, its last fetch and the reason for it, what waits, what is in quarantine, its
  /// subscription, its conflicts. Throws where its disk cannot be read.
  public func diagnostics() throws(StoreError) -> DeviceDiagnostics {
    try state.coordinator.diagnostics(name: name, at: now)
  }

  /// The conflict journal, newest first: the losing versions of all decisions that the device made or fetched.
  /// Throws where its disk cannot be read.
  public func conflicts() throws(StoreError) -> [ConflictEntry] { try state.store.conflicts(limit: .max) }

  /// How many requests it has sent.
  public var requestCount: Int { state.counters.requests }

  /// How many pushes its app received.
  public var pushCount: Int { state.counters.pushes }

  /// Starts a sync, as a user does by pulling the list down.
  public func sync() { world.simulation.sync(number) }
}
