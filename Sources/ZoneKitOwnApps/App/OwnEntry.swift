import ZoneKitRecords
import ZoneKitSync

/// A record or document of a user's own data, as its user sees it on the device.
struct OwnEntry: Hashable, Sendable {
  /// The ID of its record.
  var id: RecordID
  /// Its type: the record type, or the collection.
  var type: Name
  /// Its ID as users read and type it.
  var word: String
  /// Its fields.
  var fields: Fields
  /// The parent of its record.
  var parent: Name?
  /// Whether its user deleted it, and its record stays.
  var isDeleted = false

  /// What users read of it: its type and its ID.
  var words: String { "\(type) \(word)" }

  /// The edit that saves the entry with the stamp of the command.
  var edit: RecordEdit { .save(id, type: type, fields: fields, parent: parent, stamping: .now) }
}
