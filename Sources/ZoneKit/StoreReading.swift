import ZoneKitRecords
import ZoneKitSync

/// Reads the records in a device's store that its user sees. A store that cannot be read counts as empty, as for an app
/// whose disk fails.
struct StoreReading {
  private let store: any DeviceStore

  init(_ store: any DeviceStore) { self.store = store }

  func content(_ id: RecordID) -> RecordContent? { (try? store.record(id))?.local }

  func record(_ id: RecordID) -> Fields? { content(id)?.decoded }

  func recordType(_ id: RecordID) -> Name? { (try? store.record(id))?.recordType }

  func records(ofType type: Name) -> [RecordID: Fields] {
    let records = (try? store.records(ofType: type)) ?? []
    return Dictionary(
      uniqueKeysWithValues: records.compactMap { record in
        record.local.map { (record.recordID, $0.decoded) }
      })
  }
}
