import NannyAndMe
import Records
import Simulator
import SyncCoordinator

/// A device without a coordinator: a store in memory, the app over it, and of a coordinator's rules the one about
/// stamps.
struct TestDevice {
  private(set) var store = MemoryDeviceStore()
  private(set) var app = NannyApp(user: "nanny")
  var now = morning
  private(set) var clock = StampClock()
  private var generator = SplitMix64(seed: 1)

  /// A device that holds those actions.
  init(_ actions: [BabyAction] = [], profiles: [Profile] = []) throws {
    try save(profiles.map { RecordEdit($0, stamping: .asGiven) } + actions.map { RecordEdit($0, stamping: .asGiven) })
  }

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
    let plan = try ShareImport(Array(text.utf8), into: app, now: now, clock: clock)
    try save(plan.edits)
    return plan
  }

  /// What the device exports of its current profile.
  func exported(at time: WallTime) throws -> String {
    String(decoding: try ShareExport(of: app, at: time).text, as: UTF8.self)
  }

  /// Puts edits into the store as a coordinator does, and tells the app which records changed.
  mutating func save(_ edits: [RecordEdit]) throws {
    var transition = DeviceTransition()
    for edit in edits {
      switch edit {
      case .save(let id, let type, let fields, let parent, let stamping):
        let stored = try store.record(id)?.local
        guard let content = content(fields, parent, stamping, replacing: stored) else { continue }
        transition.records.append(LocalRecord(recordID: id, recordType: type, local: content, pendingSince: now))
      case .delete(let id): transition.removedRecords.append(id)
      }
    }
    try commit(transition)
  }

  /// Puts a record into the store as it is, also one whose fields no app would have written.
  mutating func put(_ id: RecordID, type: Name, _ content: RecordContent) throws {
    try commit(DeviceTransition(records: [LocalRecord(recordID: id, recordType: type, local: content)]))
  }

  private mutating func commit(_ transition: DeviceTransition) throws {
    let changed = transition.records.map(\.recordID) + transition.removedRecords
    guard !changed.isEmpty else { return }
    try store.commit(transition)
    try app.refresh(changed, from: store)
  }

  /// What a save leaves in the store; nil where it says what is there already.
  private mutating func content(
    _ fields: Fields, _ parent: Name?, _ stamping: RecordEdit.Stamping, replacing stored: RecordContent?
  ) -> RecordContent? {
    var fields = fields
    let replaced = try? stored?.fields.decoded()[ActionKeys.updatedAt]
    if stamping == .now { fields[ActionKeys.updatedAt] = replaced }
    guard RecordContent(fields: EncodedFields(fields), parent: parent) != stored else { return nil }
    if stamping == .now {
      var time: WallTime?
      if case .timestamp(let stamp)? = replaced { time = stamp }
      fields[ActionKeys.updatedAt] = .timestamp(clock.stamp(replacing: time, wall: now).time)
    }
    return RecordContent(fields: EncodedFields(fields), parent: parent)
  }

  /// The stored fields of a record.
  func fields(_ id: RecordID) throws -> Fields? { try store.record(id)?.local?.fields.decoded() }
}
