import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// Checks of what a command changes.
extension SwissSimulation {
  /// A command changes the row that it names, and no other row that was there. What a row owns is deleted and restored with
  /// it. A new expense is divided as the command says.
  @Sendable static func judge(_ line: String, _ changes: [DeviceApp.Change]) -> String? {
    let words = line.split(separator: " ").map(String.init)
    let edits = changes.filter { !$0.isNew }
    let (limit, fields): (Int, Set<Name>) =
      switch words.first {
      case "edit" where words.count > 2: (1, [Name(words[2])])
      case "person": (words.contains("add") ? 0 : 1, ["is_archived"])
      case "me": (2, ["name", "display_name"])
      case "group": (words.contains("add") ? 0 : 1, [.deletedAt])
      case "delete", "restore": (.max, [.deletedAt])
      default: (0, [])
      }
    let others = edits.count > limit ? edits.last.map { "\($0.id.words) was there before" } : nil
    let flaw = others ?? edits.lazy.compactMap { $0.text(unlessOf: fields.union([.editedAt])) }.first
    return flaw.map { "`\(line)` changed too much. \($0)" } ?? unfairPart(in: changes).map { "`\(line)`: \($0)" }
  }
}
