import NannyAndMe
import Records
import Simulator
import SyncCoordinator

/// A device without a coordinator: a store in memory, and the app over it.
struct TestDevice {
  private(set) var store = MemoryDeviceStore()
  private(set) var app = NannyApp(user: "nanny")
  var now = morning
  var clock = StampClock()
  var generator = SplitMix64(seed: 1)

  /// A device that holds those actions.
  init(_ actions: [BabyAction] = [], profiles: [Profile] = []) throws {
    try save(profiles.map { RecordEdit($0) } + actions.map { RecordEdit($0) })
  }

  /// Does what a command asks for, and gives its answer.
  @discardableResult
  mutating func run(_ line: String) throws -> NannyAnswer {
    let answer = try app.perform(NannyCommand(parsing: line), now: now, clock: &clock, using: &generator)
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
      case .save(let id, let type, let content):
        transition.records.append(LocalRecord(recordID: id, recordType: type, local: content, pendingSince: now))
      case .delete(let id, _): transition.removedRecords.append(id)
      }
    }
    try store.commit(transition)
    try app.refresh(edits.map(\.recordID), from: store)
  }

  /// The stored fields of a record.
  func fields(_ id: RecordID) throws -> Fields? { try store.record(id)?.local?.fields.decoded() }
}
