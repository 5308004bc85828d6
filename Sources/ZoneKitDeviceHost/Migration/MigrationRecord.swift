import ZoneKitRecords
import ZoneKitSync

/// What a device remembers of the migration of local rows into an account: the app's value `migration`. It goes with
/// account and store, so a second migration of the same rows is known as done.
package struct MigrationRecord: Hashable, Sendable {
  /// The key of the app's value.
  package static let key = "migration"

  /// The key of the app's value with the ID of the user's own person, before a sign-in.
  package static let userKey = "me"

  /// How far the migration is.
  package enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The rows are the account's and not all of them were checked on the server.
    case running
    /// All steps are over.
    case done
  }

  /// How far the migration is.
  package var phase = Phase.running
  /// The account.
  package var account: UUID
  /// The ID of the device's store, if it has one.
  package var store: String?
  /// The number of local rows.
  package var found = 0
  /// The numbers of the account's rows that were made of them, by table.
  package var adopted: [Name: Int] = [:]
  /// What was completed or left out.
  package var notes: [RowNote] = []
  /// The path of the backup.
  package var backup: String?
  /// The paths of the files with what was written since the backup: one for each rollback that began.
  package var edits: [String] = []

  /// A migration into that account that begins.
  package init(account: UUID, store: String? = nil) {
    self.account = account
    self.store = store
  }

  /// The text form of the value.
  package var json: JSON {
    [
      "phase": .string(phase.rawValue), "account": .string(account.text), "store": store.map(JSON.string) ?? .null,
      "found": .integer(Int64(found)),
      "adopted": .object(adopted.keys.sorted().map { JSON.Member($0.text, .integer(Int64(adopted[$0] ?? 0))) }),
      "notes": .array(notes.map(\.json)), "backup": backup.map(JSON.string) ?? .null,
      "edits": .array(edits.map(JSON.string)),
    ]
  }

  /// Reads the value; nil for any other text.
  package init?(_ value: DeviceValue?) {
    guard let text = value?.text, let json = try? JSON(parsing: text),
      let phase = json["phase"]?.string.flatMap({ Phase(rawValue: $0) }),
      let account = json["account"]?.string.flatMap({ UUID($0) })
    else { return nil }
    self.init(account: account, store: json["store"]?.string)
    self.phase = phase
    found = Int(json["found"]?.integer ?? 0)
    for member in json["adopted"]?.object ?? [] { adopted[Name(member.key)] = Int(member.value.integer ?? 0) }
    notes = (json["notes"]?.array ?? []).compactMap { note in
      guard let place = note["place"]?.string, let reason = note["reason"]?.string else { return nil }
      return RowNote(place, reason)
    }
    backup = json["backup"]?.string
    edits = (json["edits"]?.array ?? []).compactMap(\.string)
  }

  /// Whether local rows of that store have to be migrated: it has no account, its user has an ID, and it holds a row.
  package static func isNeeded(account: Name?, user: UUID?, rows: Int) -> Bool {
    account == nil && user != nil && rows > 0
  }
}
