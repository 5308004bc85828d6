import ZoneKitRecords
import ZoneKitSync

/// What an app answers to a command or to an import: edits for the coordinator, and a text for people and for scripts.
package struct AppAnswer {
  /// The edits, in order and for one transaction; none where the store stays as it is.
  package let edits: [RecordEdit]
  /// Makes the answer's lines of text.
  package let lines: () -> [String]
  /// Makes the answer's members of a JSON object.
  package let members: () -> [JSON.Member]

  /// An answer whose texts are made where they are printed.
  package init(
    edits: [RecordEdit] = [], lines: @escaping () -> [String] = { [] }, members: @escaping () -> [JSON.Member] = { [] }
  ) {
    self.edits = edits
    self.lines = lines
    self.members = members
  }
}
