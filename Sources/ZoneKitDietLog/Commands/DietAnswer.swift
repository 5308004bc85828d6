import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The answer to a command.
enum DietAnswer {
  /// Documents change; the sentence says what was done.
  case changed([RecordEdit], said: String)
  /// Nothing changes; the sentence says why.
  case unchanged(said: String)
  /// The first documents of a collection, of so many.
  case list(Name, [DietDocument], of: Int)
  /// The logs and weights of a day.
  case day(String, [DietDocument], weights: [DietDocument])
  /// One document.
  case document(DietDocument)
  /// The latest decisions of conflicts.
  case conflicts([DietConflict])

  /// The edits; empty if nothing changes.
  var edits: [RecordEdit] {
    switch self {
    case .changed(let edits, _): edits
    case .unchanged, .list, .day, .document, .conflicts: []
    }
  }
}
