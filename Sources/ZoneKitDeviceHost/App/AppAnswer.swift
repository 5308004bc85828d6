import ZoneKitRecords
import ZoneKitSync

/// An app's answer to a command or an import: edits for the coordinator, and texts for output.
package struct AppAnswer {
  /// The edits, in order and for one transaction; empty if the store does not change.
  package let edits: [RecordEdit]
  /// Makes the answer's lines of text.
  package let lines: () -> [String]
  /// Makes the answer's members of a JSON object.
  package let members: () -> [JSON.Member]

  /// An answer. The closures run only if their result is printed.
  package init(
    edits: [RecordEdit] = [], lines: @escaping () -> [String] = { [] }, members: @escaping () -> [JSON.Member] = { [] }
  ) {
    self.edits = edits
    self.lines = lines
    self.members = members
  }
}
