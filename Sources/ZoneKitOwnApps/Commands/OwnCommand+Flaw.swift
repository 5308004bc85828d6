import ZoneKitDeviceHost
import ZoneKitRecords

extension OwnCommand {
  /// Why a command changed too much; nil if it changed one entry, and of an entry that was there before only the fields that it
  /// names and those that are allowed besides. `parts` names what is wrong with the parts of an edited entry.
  func flaw(
    in changes: [DeviceApp.Change], as line: String, allowed others: Set<Name> = [],
    ofParts parts: (DeviceApp.Change) -> String? = { _ in nil }
  ) -> String? {
    var allowed = others
    if case .set(_, let assignments) = self { allowed.formUnion(assignments.map { Name($0.name) }) }
    let other = changes.dropFirst().first.map { "\($0.id.words) changed too" }
    let flaw = other ?? changes.first.flatMap { $0.isEdit ? $0.text(unlessOf: allowed) ?? parts($0) : nil }
    return flaw.map { "`\(line)` changed too much. \($0)" }
  }
}
