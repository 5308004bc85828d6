import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// What a migration sees of a device's store: the rows that wait to be sent, and those that were set aside.
package struct MigrationSight: Hashable, Sendable {
  /// The numbers of rows that wait, by table.
  package var waiting: [Name: Int] = [:]
  /// Whether the user's own person is one of them.
  package var isPersonWaiting = false
  /// The rows that the server refused, with its sentences.
  package var setAside: [RowNote] = []
  /// Whether there is a session.
  package var isSignedIn = true
  /// Whether a sync runs. Until its end the device may lack rows of the account.
  package var isSyncing = false
  /// The number of photos that wait to be uploaded.
  package var photos = 0
  /// The photos that the server refused, with its sentences.
  package var photosSetAside: [RowNote] = []

  private let person: RecordID

  /// A sight without rows. `person` is the user's own person.
  package init(person: RecordID) { self.person = person }

  /// The rows of a store, and the photos that users gave to rows. `person` is the user's own person.
  package init(
    of store: some DeviceStore, person: RecordID, photos queued: [RecordID: QueuedPhoto]
  ) throws(StoreError) {
    self.init(person: person)
    photos = queued.values.count { $0.refusal == nil }
    photosSetAside = queued.sorted { $0.key < $1.key }.compactMap { record, photo in
      photo.refusal.map { RowNote(QueuedPhoto.key(of: record), $0) }
    }
    for entry in try store.waiting() { waiting[entry.recordType] = entry.count }
    isPersonWaiting = try store.record(person).map { $0.pendingSince != nil && $0.quarantine == nil } ?? false
    setAside = try store.quarantined(limit: .max).map {
      RowNote($0.recordID.recordName.text, $0.quarantine?.text ?? "")
    }
  }

  /// The rows and photos that the server refused, with its sentences.
  var allSetAside: [RowNote] { setAside + photosSetAside }

  /// Whether no row waits.
  var hasSentAll: Bool { waiting.values.allSatisfy { $0 == 0 } }

  /// The number of rows of a step that wait.
  func waiting(for step: MigrationStep) -> Int {
    let all = waiting[step.table] ?? 0
    switch step.rows {
    case .all: return all
    case .me: return isPersonWaiting ? 1 : 0
    case .others: return max(0, all - (isPersonWaiting ? 1 : 0))
    }
  }

  /// The number of rows of a step that were set aside.
  func setAside(for step: MigrationStep) -> Int {
    let me = person.recordName.text
    return setAside.count { note in
      guard note.place.hasPrefix("\(step.table)/") else { return false }
      switch step.rows {
      case .all: return true
      case .me: return note.place == me
      case .others: return note.place != me
      }
    }
  }
}
