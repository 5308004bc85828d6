import ZoneKitDeviceHost
import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitSync

/// A device that nobody is signed in on: the app and a coordinator over a store in memory, and no cloud.
struct TestDevice {
  private var coordinator: SyncCoordinator<MemoryDeviceStore>
  private(set) var app = NannyApp(user: "nanny")
  var now = morning
  private var generator = SplitMix64(seed: 1)

  /// A device that holds those actions.
  init(_ actions: [BabyAction] = [], profiles: [Profile] = []) throws {
    coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: .nanny)
    try save(
      profiles.map { RecordEdit($0, stamping: .asGiven) } + actions.map { RecordEdit($0, stamping: .asGiven) })
  }

  /// What the device holds.
  var store: MemoryDeviceStore { coordinator.store }

  /// Does what a command asks for, and gives its answer.
  @discardableResult
  mutating func run(_ line: String) throws -> NannyAnswer {
    let answer = try app.perform(NannyCommand(parsing: line), now: now, using: &generator)
    try save(answer.edits)
    return answer
  }

  /// Imports a share file, and gives the report.
  @discardableResult
  mutating func importing(_ text: String) throws -> ShareImport {
    let plan = try ShareImport(Array(text.utf8), into: app, now: now, clock: StampClock())
    try save(plan.edits)
    return plan
  }

  /// What the device exports of its current profile.
  func exported(at time: WallTime) throws -> String {
    String(decoding: try DeviceApp.Export(of: app, at: time).files[0].text, as: UTF8.self)
  }

  /// Hands edits to the coordinator, and tells the app which records changed.
  mutating func save(_ edits: [RecordEdit]) throws {
    let moment = Moment(wall: now, monotonic: MonotonicTime(milliseconds: 0))
    _ = try coordinator.edit(edits, at: moment, using: &generator)
    try app.refresh(edits.map(\.recordID), from: store)
  }

  /// Puts a record into the store as it is, also one whose fields no app would have written.
  mutating func put(_ id: RecordID, type: Name, _ content: RecordContent) throws {
    var store = store
    try store.commit(DeviceTransition(records: [LocalRecord(recordID: id, recordType: type, local: content)]))
    coordinator = try SyncCoordinator(store: store, configuration: .nanny)
    try app.refresh([id], from: store)
  }

  /// The stored fields of a record.
  func fields(_ id: RecordID) throws -> Fields? { try store.record(id)?.local?.fields.decoded() }
}

extension CoordinatorConfiguration {
  /// What the app tells its coordinator.
  static let nanny = CoordinatorConfiguration(
    mergePolicy: NannyMergePolicy.policy(), stampField: ActionKeys.updatedAt)
}
