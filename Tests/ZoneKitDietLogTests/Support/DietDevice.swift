import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// A device with the diet log.
typealias DietDevice = AppDevice

extension AppDevice {
  init() throws { try self.init(.dietLog, account: "nanny", at: WallTime(milliseconds: 1_795_248_000_000)) }

  /// Takes in that the cloud has every record as it is here.
  mutating func upload() throws {
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
    try commit(DeviceTransition(records: records))
  }

  /// Puts decisions into the journal.
  mutating func note(_ conflicts: [ConflictEntry]) throws {
    var transition = DeviceTransition()
    transition.conflicts = conflicts
    try commit(transition)
  }

  /// The documents of a collection in the store, also deleted ones, in ascending order of their IDs.
  func documents(_ collection: Name) throws -> [DietDocument] {
    try store.records(ofType: collection).compactMap { DietDocument($0) }
  }

  /// The only document of a collection.
  func document(_ collection: Name) throws -> DietDocument {
    let documents = try documents(collection)
    try #require(documents.count == 1)
    return documents[0]
  }
}
