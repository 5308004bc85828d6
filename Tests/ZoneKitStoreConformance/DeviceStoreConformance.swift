import ZoneKitRecords
import ZoneKitSync

/// What every conformer of `DeviceStore` must do, one named check each, run over fresh stores.
package struct DeviceStoreConformance<Store: DeviceStore> {
  /// Makes an empty store.
  package var makeEmpty: () throws -> Store
  /// Closes a store and opens what is left of it, as after a crash.
  package var reopen: (Store) throws -> Store

  /// A suite over stores made that way.
  package init(makeEmpty: @escaping () throws -> Store, reopen: @escaping (Store) throws -> Store) {
    self.makeEmpty = makeEmpty
    self.reopen = reopen
  }

  /// The names of all checks, for a test that runs one by one.
  package static var checkNames: [String] { checks.map(\.name) }

  /// Runs the check of that name; throws a `DeviceStoreMismatch` that says what differed, or the store's own error.
  package func run(_ name: String) throws {
    for check in Self.checks where check.name == name { return try check.run(self) }
    throw DeviceStoreMismatch("there is no check named \(name)")
  }

  typealias Check = (name: String, run: (Self) throws -> Void)

  static var checks: [Check] { recordChecks + listChecks }

  /// Commits the transitions to an empty store, reopens it and hands it over.
  func store(after transitions: DeviceTransition...) throws -> Store {
    var store = try makeEmpty()
    for transition in transitions { try store.commit(transition) }
    return try reopen(store)
  }
}

/// What a store did that it should not have.
package struct DeviceStoreMismatch: Error, CustomStringConvertible {
  /// What was expected and what came.
  package let description: String

  init(_ description: String) { self.description = description }
}

func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
  guard value != expected else { return }
  throw DeviceStoreMismatch("\(what): expected \(expected), got \(value)")
}

/// The values that the checks are made of.
enum Sample {
  static let zone = ZoneID(zoneName: "Zone é")
  static let otherZone = ZoneID(zoneName: "Other", owner: .user("_owner"))

  static func id(_ name: Name, in zoneID: ZoneID = zone) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }

  static func content(_ text: String, parent: Name? = nil) -> RecordContent {
    let json = #"{"name":{"type":"STRING","value":""# + text + #""}}"#
    return RecordContent(fields: EncodedFields(canonical: Array(json.utf8)), parent: parent)
  }

  static func server(_ text: String) -> ServerVersion {
    let author = Author(userRecordName: "_user", deviceID: "device-1")
    return ServerVersion(
      content: content(text, parent: "P"), changeTag: ChangeTag("t1"),
      modified: Authorship(at: WallTime(milliseconds: 1_700_000_000_123), author: author))
  }

  static func pending(_ name: Name, in zoneID: ZoneID = zone, revision: Int64, since: Int64 = 5) -> LocalRecord {
    LocalRecord(
      recordID: id(name, in: zoneID), recordType: "Item", local: content("new"), revision: revision,
      pendingSince: WallTime(milliseconds: since))
  }

  static func clean(_ name: Name, in zoneID: ZoneID = zone, type: Name = "Item", fullFetch: Int64 = 0) -> LocalRecord {
    let version = server("same")
    return LocalRecord(
      recordID: id(name, in: zoneID), recordType: type, local: version.content, server: version, fullFetch: fullFetch)
  }

  static func entry(_ id: String) -> ConflictEntry {
    ConflictEntry(
      id: id, recordID: Sample.id("R"), recordType: "Item", at: WallTime(milliseconds: 9), winner: .merged,
      rule: "updatedAt", local: content("mine", parent: "P"), server: nil, serverDeviceID: nil, decidedBy: "device-1")
  }

  static func trace(_ tag: String) -> ChangeTrace {
    ChangeTrace(
      recordID: id("R"), changeTag: ChangeTag(tag), deviceID: "d", committedAt: WallTime(milliseconds: 1),
      notifiedAt: nil, receivedAt: WallTime(milliseconds: 2), fetchedAt: WallTime(milliseconds: 3),
      mergedAt: WallTime(milliseconds: 4))
  }

  static func records(_ records: LocalRecord...) -> DeviceTransition { DeviceTransition(records: records) }
}
