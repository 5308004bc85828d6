import Testing
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// A device with the app and a coordinator over a store in memory, without a cloud. Its clock goes on by a second with each
/// command.
struct DietDevice {
  private(set) var coordinator: SyncCoordinator<MemoryDeviceStore>
  private var app: any RunningApp
  private let device = DeviceApp.dietLog
  var now = WallTime(milliseconds: 1_795_248_000_000)
  private var generator = SplitMix64(seed: 1)

  init() throws {
    coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: device.configuration)
    app = try device.launch(AppView(store: coordinator.store, account: "nanny", wall: now))
    _ = try coordinator.launch(account: "nanny", at: moment, using: &generator)
  }

  private var moment: Moment { Moment(wall: now, monotonic: MonotonicTime(milliseconds: now.milliseconds)) }
  var view: AppView { AppView(store: coordinator.store, account: "nanny", wall: now) }

  /// Performs a command, stores its edits, and returns the answer.
  @discardableResult
  mutating func perform(_ line: String) throws -> AppAnswer {
    now = now.advanced(byMilliseconds: 1_000)
    let answer = try app.perform(line, in: view, using: &generator)
    try save(answer)
    return answer
  }

  /// The lines that a command prints.
  @discardableResult
  mutating func run(_ line: String) throws -> [String] { try perform(line).lines() }

  /// The JSON members of a command's answer.
  mutating func json(_ line: String) throws -> JSON { .object(try perform(line).members(in: view)) }

  /// The sentence with which a command is refused; empty if it is not refused.
  mutating func refusal(of line: String) throws -> String {
    do {
      try perform(line)
      return ""
    } catch let refusal as AppRefusal {
      return refusal.description
    }
  }

  /// Stores what an answer changes.
  mutating func save(_ answer: AppAnswer) throws {
    _ = try coordinator.edit(answer.edits, setting: answer.appValues, at: moment, using: &generator)
    try app.refresh(answer.edits.map(\.recordID), from: view)
  }

  /// Takes in that the cloud has every record as it is here.
  mutating func upload() throws {
    var store = coordinator.store
    var records: [LocalRecord] = []
    for type in DietLog.schema.collections.map(\.name) {
      for var record in try store.records(ofType: type) {
        guard let content = record.local else { continue }
        let author = Author(userRecordName: "nanny", deviceID: "other")
        record.server = ServerVersion(
          content: content, changeTag: ChangeTag("1"), modified: Authorship(at: now, author: author))
        records.append(record)
      }
    }
    try store.commit(DeviceTransition(records: records))
    coordinator = try SyncCoordinator(store: store, configuration: device.configuration)
    app = try device.launch(view)
  }

  /// Puts decisions into the journal.
  mutating func note(_ conflicts: [ConflictEntry]) throws {
    var transition = DeviceTransition()
    transition.conflicts = conflicts
    var store = coordinator.store
    try store.commit(transition)
    coordinator = try SyncCoordinator(store: store, configuration: device.configuration)
    app = try device.launch(view)
  }

  /// Starts the app anew.
  mutating func relaunch() throws { app = try device.launch(view) }

  /// The documents of a collection in the store, also deleted ones, in ascending order of their IDs.
  func documents(_ collection: Name) throws -> [DietDocument] {
    try coordinator.store.records(ofType: collection).compactMap { DietDocument($0) }
  }

  /// The only document of a collection.
  func document(_ collection: Name) throws -> DietDocument {
    let documents = try documents(collection)
    try #require(documents.count == 1)
    return documents[0]
  }
}
