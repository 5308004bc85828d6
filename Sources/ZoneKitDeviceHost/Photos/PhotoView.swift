import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The photos in a device's store: those that rows name, and those that users gave and rows do not name yet.
package struct PhotoView: Sendable {
  /// A photo that a row names.
  private struct Named: Sendable {
    var path: String
    var isDeleted: Bool
  }

  private let photos: TablePhotos
  private let tables: [Name]
  private let zone: ZoneID
  /// The queued photos, also those of deleted rows.
  private var given: [RecordID: QueuedPhoto] = [:]
  private var rows: [RecordID: Named] = [:]
  /// The rows that can have a photo, also deleted ones.
  private var present: Set<RecordID> = []
  private var deleted: Set<RecordID> = []
  /// The queued photos of rows that are not there, by the keys of their values; nil for a value that cannot be read.
  private var absent: [String: QueuedPhoto?] = [:]

  /// A view of no store. Nil if the app has no photos.
  package init?(_ app: TableApp) {
    guard let photos = app.photos else { return nil }
    self.photos = photos
    tables = app.schema.tables.filter { $0.column(photos.column) != nil }.map(\.name)
    zone = ZoneID(zoneName: app.zone)
  }

  // MARK: Reading

  /// Reads all rows that can have a photo, and the queue.
  package mutating func read(_ store: any DeviceStore) throws(StoreError) {
    rows = [:]
    present = []
    deleted = []
    for table in tables {
      for record in try store.records(ofType: table) { take(record) }
    }
    try readQueue(store)
  }

  /// Reads those records again, and the queue. Returns whether one of them can have a photo.
  package mutating func read(_ changed: [RecordID], in store: any DeviceStore) throws(StoreError) -> Bool {
    var isChanged = false
    for id in changed where hasPhotos(id) {
      isChanged = true
      rows[id] = nil
      present.remove(id)
      deleted.remove(id)
      if let record = try store.record(id) { take(record) }
    }
    if isChanged { try readQueue(store) }
    return isChanged
  }

  /// Reads the queue, for the rows that were read.
  package mutating func readQueue(_ store: any DeviceStore) throws(StoreError) {
    given = [:]
    absent = [:]
    for (key, value) in try store.appValues() {
      guard let name = QueuedPhoto.recordName(ofKey: key) else { continue }
      let id = RecordID(recordName: name, zoneID: zone)
      let photo = value.text.flatMap { QueuedPhoto($0) }
      if let photo, present.contains(id) { given[id] = photo } else { absent[key] = .some(photo) }
    }
  }

  /// The keys of values that are of no use: their rows do not exist any more. After a reset rows are missing until they
  /// were fetched again, so nothing is an orphan before the end of a full fetch.
  package func orphans(in store: any DeviceStore, of account: UUID?) throws(StoreError) -> [String] {
    let state = try store.zones().first { $0.zoneID.zoneName == zone.zoneName }
    let isComplete = state.map { $0.token != nil && !$0.isInFullFetch } ?? false
    return account == nil || isComplete ? absent.keys.map { Name($0) }.sorted().map(\.text) : []
  }

  private func hasPhotos(_ id: RecordID) -> Bool {
    tables.contains { id.recordName.text.hasPrefix("\($0)/") }
  }

  private mutating func take(_ record: LocalRecord) {
    guard let local = record.local else { return }
    present.insert(record.recordID)
    guard let fields = try? local.fields.decoded() else { return }
    let isDeleted = fields[.deletedAt] != nil
    if isDeleted { deleted.insert(record.recordID) }
    guard case .string(let path)? = fields[photos.column] else { return }
    rows[record.recordID] = Named(path: path, isDeleted: isDeleted)
  }

  // MARK: What it holds

  /// The queued photos of all rows.
  package var queued: [RecordID: QueuedPhoto] { given }

  /// The path that a row names; nil if it names none.
  package func path(of record: RecordID) -> String? { rows[record]?.path }

  /// The queued photos of rows that are not deleted.
  package var waiting: [RecordID: QueuedPhoto] { given.filter { !deleted.contains($0.key) } }

  /// The paths that rows name, without those of deleted rows.
  package var named: [RecordID: String] { rows.filter { !$0.value.isDeleted }.mapValues(\.path) }

  /// The photos whose bytes are needed, also those of deleted rows, which can be restored.
  package func needed(by account: UUID?) -> Set<PhotoName> {
    let paths = account.map { account in rows.values.compactMap { PhotoName(path: $0.path, of: account) } } ?? []
    return Set(given.values.map(\.name) + absent.values.compactMap { $0?.name } + paths)
  }
}

extension DeviceApp {
  /// What a device stores in one transaction after the queued photo of a record was uploaded to a path: the record names
  /// the path, and the photo is not queued any more.
  package func changes(
    naming path: String, of record: RecordID, in view: AppView
  ) throws(StoreError) -> (edits: [RecordEdit], values: [AppValueChange]) {
    let edits = try photoEdits?(record, path, view) ?? []
    return (edits, [AppValueChange(QueuedPhoto.key(of: record), nil)])
  }
}
