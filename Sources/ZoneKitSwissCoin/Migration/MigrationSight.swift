import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// What a migration sees of a device's store: the rows that wait to be sent, and those that were set aside.
package struct MigrationSight: Hashable, Sendable {
  /// The numbers of rows that wait, by table.
  package var waiting: [Name: Int] = [:]
  /// Whether the user's own person is one of them.
  package var isSelfWaiting = false
  /// The rows that the server refused, with its sentences.
  package var setAside: [RowNote] = []

  /// A sight without rows.
  package init() {}

  /// The rows of a store. `account` is the user's person.
  package init(of store: some DeviceStore, account: UUID) throws(StoreError) {
    for entry in try store.census().waiting { waiting[entry.recordType] = entry.count }
    let person = try store.record(SwissCoin.recordID("persons", RowKey([account])))
    isSelfWaiting = person.map { $0.pendingSince != nil && $0.quarantine == nil } ?? false
    setAside = try store.quarantined(limit: .max).map {
      RowNote($0.recordID.recordName.text, $0.quarantine?.text ?? "")
    }
  }

  /// The number of rows of a step that wait.
  func waiting(for step: MigrationStep) -> Int {
    let all = waiting[step.table] ?? 0
    switch step.rows {
    case .all: return all
    case .me: return isSelfWaiting ? 1 : 0
    case .others: return max(0, all - (isSelfWaiting ? 1 : 0))
    }
  }

  /// The number of rows of a step that were set aside. `account` is the user's person.
  func setAside(for step: MigrationStep, account: UUID) -> Int {
    let me = RowKey([account]).recordName(in: "persons").text
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
