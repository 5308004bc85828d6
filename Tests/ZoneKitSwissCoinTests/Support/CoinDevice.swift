import Testing
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTables

/// A device with the app and a coordinator over a store in memory, without a cloud. Its clock goes on by a second with each
/// command.
struct CoinDevice {
  private(set) var coordinator: SyncCoordinator<MemoryDeviceStore>
  private var app: any RunningApp
  private let device: DeviceApp
  var account: Name?
  var now = WallTime(milliseconds: 1_777_878_000_000)
  private var generator = SplitMix64(seed: 1)

  /// A device of that account; of nobody if nil.
  init(account: Name? = nil) throws {
    self.account = account
    device = .swissCoin
    coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: device.configuration)
    app = try device.launch(AppView(store: coordinator.store, account: account, wall: now))
    _ = try coordinator.launch(account: account, at: moment, using: &generator)
  }

  private var moment: Moment { Moment(wall: now, monotonic: MonotonicTime(milliseconds: now.milliseconds)) }
  var view: AppView { AppView(store: coordinator.store, account: account, wall: now) }
  var store: MemoryDeviceStore { coordinator.store }

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

  /// Performs a command that has to change nothing in the store.
  mutating func expectNoChange(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let answer = try perform(line)
    #expect(answer.isReadOnly, sourceLocation: sourceLocation)
  }

  /// The sentence with which a command is refused; empty if it is not refused.
  mutating func refusal(of line: String) throws -> String {
    do {
      try perform(line)
      return ""
    } catch let refusal as AppRefusal {
      return refusal.description
    }
  }

  /// Signs the account out and gives the device what another one wrote without an account.
  mutating func restore(_ backup: CoinDevice) throws {
    let records = try backup.store.pending(in: nil, after: 0, limit: .max)
    _ = try coordinator.signOut(restoring: records, try backup.store.appValues(), at: moment, using: &generator)
    account = nil
    app = try device.launch(view)
  }

  /// Gives a photo to a row or takes it away, and returns the lines of the answer.
  @discardableResult
  mutating func setPhoto(_ photo: QueuedPhoto?, of word: String) throws -> [String] {
    let answer = try app.setPhoto(photo, of: word, in: view)
    if !answer.isReadOnly { try save(answer) }
    return answer.lines()
  }

  /// The sentence with which a photo for a row is refused; empty if it is not refused.
  mutating func refusal(ofPhoto photo: QueuedPhoto?, for word: String) throws -> String {
    do {
      try setPhoto(photo, of: word)
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

  /// Puts a row into the store as it came from the server, without telling the app.
  mutating func pull(_ table: Name, _ id: UUID, _ values: [Name: RowValue]) throws {
    let table = try #require(SwissCoin.schema.table(table))
    var row = Row(table.columns.map(\.defaultValue))
    row[.id, table] = .uuid(id)
    for (column, value) in values { row[column, table] = value }
    let key = try #require(RowKey(row, of: table))
    let content = RecordContent(fields: EncodedFields(row.fields(of: table)))
    let author = Author(userRecordName: "_server", deviceID: "other")
    let record = LocalRecord(
      recordID: RecordID(recordName: key.recordName(in: table.name), zoneID: SwissCoin.zoneID),
      recordType: table.name, local: content,
      server: ServerVersion(
        content: content, changeTag: ChangeTag("1"), modified: Authorship(at: now, author: author)))
    var store = store
    try store.commit(DeviceTransition(records: [record]))
    coordinator = try SyncCoordinator(store: store, configuration: device.configuration)
    app = try device.launch(view)
  }

  /// The rows of a table in the store, in ascending order of their keys.
  func rows(_ table: Name) throws -> [CoinRow] {
    try store.records(ofType: table).compactMap { try CoinRow($0, owner: UUID(high: 0, low: 0)) }
  }

  /// The only row of a table.
  func row(_ table: Name) throws -> CoinRow {
    let rows = try rows(table)
    try #require(rows.count == 1)
    return rows[0]
  }

  /// The person of that name.
  func person(_ name: String) throws -> CoinRow {
    try #require(try rows("persons").first { $0.name == name })
  }
}
