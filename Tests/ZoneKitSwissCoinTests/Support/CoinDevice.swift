import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTables

/// A device with Swiss Coin.
typealias CoinDevice = AppDevice

extension AppDevice {
  /// A device of that account; of nobody if nil.
  init(account: Name? = nil) throws {
    try self.init(.swissCoin, account: account, at: WallTime(milliseconds: 1_777_878_000_000))
  }

  /// Performs a command that has to change nothing in the store.
  mutating func expectNoChange(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let answer = try perform(line)
    #expect(answer.isReadOnly, sourceLocation: sourceLocation)
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
    try refusal { try $0.setPhoto(photo, of: word) }
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
    try commit(DeviceTransition(records: [record]))
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
