import ZoneKitRecords
import ZoneKitSync

/// An app's answer to a command or an import: edits for the coordinator, and texts for output.
package struct AppAnswer {
  /// The edits, in order and for one transaction; empty if no record changes.
  package let edits: [RecordEdit]
  /// The changes of the app's own values, for the same transaction.
  package let appValues: [AppValueChange]
  /// Makes the answer's lines of text.
  package let lines: () -> [String]
  private let list: (AppView) -> [JSON.Member]

  /// An answer. The closures run only if their result is printed, after the edits were stored. The view that `members`
  /// gets has the stored records, with their stamps.
  package init(
    edits: [RecordEdit] = [], appValues: [AppValueChange] = [], lines: @escaping () -> [String] = { [] },
    members: @escaping (AppView) -> [JSON.Member] = { _ in [] }
  ) {
    self.edits = edits
    self.appValues = appValues
    self.lines = lines
    list = members
  }

  /// Whether the answer changes nothing in the store.
  package var isReadOnly: Bool { edits.isEmpty && appValues.isEmpty }

  /// The answer's members of a JSON object. `view` is the state after the edits.
  package func members(in view: AppView) -> [JSON.Member] { list(view) }
}
