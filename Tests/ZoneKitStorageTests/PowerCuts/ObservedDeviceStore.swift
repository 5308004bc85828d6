import ZoneKitRecords
import ZoneKitSync

@testable import ZoneKitStorage

/// A device's file that reports its content after each commit.
struct ObservedDeviceStore: DeviceStore {
  let file: DeviceFile
  let onCommit: () throws -> Void

  func values() throws(StoreError) -> [DeviceKey: DeviceValue] { try file.values() }
  func appValues() throws(StoreError) -> [String: DeviceValue] { try file.appValues() }
  func zones() throws(StoreError) -> [ZoneState] { try file.zones() }
  func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord? { try file.record(recordID) }
  func contains(_ recordID: RecordID) throws(StoreError) -> Bool { try file.contains(recordID) }
  func records(ofType recordType: Name) throws(StoreError) -> [LocalRecord] { try file.records(ofType: recordType) }

  func records(in zoneID: ZoneID, metBefore fullFetch: Int64) throws(StoreError) -> [LocalRecord] {
    try file.records(in: zoneID, metBefore: fullFetch)
  }

  func pending(in zoneID: ZoneID?, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord] {
    try file.pending(in: zoneID, after: revision, limit: limit)
  }

  func pending(ofType recordType: Name, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord] {
    try file.pending(ofType: recordType, after: revision, limit: limit)
  }

  func quarantined(limit: Int) throws(StoreError) -> [LocalRecord] { try file.quarantined(limit: limit) }
  func waiting() throws(StoreError) -> [DeviceCensus.Waiting] { try file.waiting() }
  func census() throws(StoreError) -> DeviceCensus { try file.census() }
  func isKnown(notificationID: String) throws(StoreError) -> Bool { try file.isKnown(notificationID: notificationID) }
  func conflicts(limit: Int) throws(StoreError) -> [ConflictEntry] { try file.conflicts(limit: limit) }
  func traces(limit: Int) throws(StoreError) -> [ChangeTrace] { try file.traces(limit: limit) }

  func commit(_ transition: DeviceTransition) throws(StoreError) {
    try file.commit(transition)
    do {
      try onCommit()
    } catch {
      throw StoreError(.failed, "\(error)", place: file.path)
    }
  }
}
