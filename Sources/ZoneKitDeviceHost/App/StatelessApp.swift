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
      members: { _ in [JSON.Member("records", .array(edits.map { .string($0.recordID.recordName.text) }))] })
  }

  /// The record of that name, otherwise the only one whose name begins with the word.
  package func find(_ word: String, in view: AppView) throws(AppRefusal) -> RecordID {
    let found: [RecordID]
    do throws(StoreError) {
      found = try view.records(named: word)
    } catch {
      throw AppRefusal("\(error)")
    }
    guard let first = found.first else { throw AppRefusal("no record's name begins with \"\(word)\"") }
    guard found.count == 1 else {
      throw AppRefusal("\"\(word)\" begins the names of \(found.count.counted("record")); give more characters")
    }
    return first
  }

  package func repairs(in view: AppView) -> [RecordEdit] { repairs(view) }

  package func staleness(in view: AppView) -> String? { nil }
}

extension AppView {
  /// The records of that name, otherwise those whose names begin with it, in ascending order.
  fileprivate func records(named word: String) throws(StoreError) -> [RecordID] {
    var begun: [RecordID] = []
    for type in Set(try store.census().counts.map(\.recordType)).sorted() {
      begun += try store.records(ofType: type).map(\.recordID).filter { $0.recordName.text.hasPrefix(word) }
    }
    let exact = begun.filter { $0.recordName == Name(word) }
    return (exact.isEmpty ? begun : exact).sorted()
  }
}
