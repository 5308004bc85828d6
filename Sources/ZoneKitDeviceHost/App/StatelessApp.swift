import ZoneKitRecords
import ZoneKitSync

/// A running app that keeps no state between two calls and reads the store each time.
package struct StatelessApp: RunningApp, Sendable {
  private let edits: @Sendable (String, AppView) throws(AppRefusal) -> [RecordEdit]
  private let repairs: @Sendable (AppView) -> [RecordEdit]

  /// An app with those commands and rules.
  package init(
    edits: @escaping @Sendable (String, AppView) throws(AppRefusal) -> [RecordEdit],
    repairs: @escaping @Sendable (AppView) -> [RecordEdit] = { _ in [] }
  ) {
    self.edits = edits
    self.repairs = repairs
  }

  package func refresh(_ changed: [RecordID], from view: AppView) {}

  package func perform(
    _ line: String, in view: AppView, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> AppAnswer {
    let edits = try edits(line, view)
    return AppAnswer(
      edits: edits, lines: { [edits.count.counted("edit")] },
      members: { [JSON.Member("records", .array(edits.map { .string($0.recordID.recordName.text) }))] })
  }

  package func repairs(in view: AppView) -> [RecordEdit] { repairs(view) }
}
