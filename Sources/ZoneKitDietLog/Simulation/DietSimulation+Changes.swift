import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// Checks of what a command changes.
extension DietSimulation {
  /// A command changes the document and the item that it names, and no other one. With a family go its members, and with an
  /// added item its recent food.
  @Sendable static func judge(_ line: String, _ changes: [DeviceApp.Change]) -> String? {
    let verb = String(line.split(separator: " ").first ?? "")
    let main = changes.filter { !(["add", "again"].contains(verb) && isOf("recentFoods", $0)) }
    let isOfFamily = main.allSatisfy { isOf("families", $0) || isOf("familyMembers", $0) }
    if main.count > 1, !(["delete", "restore"].contains(verb) && isOfFamily) {
      return "`\(line)` changed \(main.count.counted("document")), among them \(main[1].id.words)"
    }
    if verb != "delete", let lost = changes.first(where: { $0.newFields[.deleted] != nil }) {
      return "`\(line)` wrote \(lost.id.words), which is still deleted"
    }
    return main.lazy.compactMap { flaw(in: $0, of: verb) }.first.map { "`\(line)` changed too much. \($0)" }
  }

  private static func isOf(_ collection: Name, _ change: DeviceApp.Change) -> Bool {
    DietLog.name(of: change.id)?.collection == collection
  }

  private static func flaw(in change: DeviceApp.Change, of verb: String) -> String? {
    guard change.isEdit else { return nil }
    switch verb {
    case "delete": return change.text(unlessOf: [.documentStamp, .deleted])
    case "restore", "add", "again", "change", "drop":
      return change.text(unlessOf: [.documentStamp, .deleted, "items"]) ?? flaw(ofItemsIn: change)
    case "edit", "goal":
      let others = change.fields.subtracting([.documentStamp, .deleted])
      guard others.count > 1, let own = others.filter({ $0 != "items" }).min() else { return nil }
      return change.text(unlessOf: [.documentStamp, .deleted, own])
    default: return "\(change.id.words) was there before"
    }
  }

  /// At most one item is new or differs, and its stamp is that of the document.
  private static func flaw(ofItemsIn change: DeviceApp.Change) -> String? {
    let old = change.oldFields.items(in: "items") ?? []
    let new = change.newFields.items(in: "items") ?? []
    let changed = new.filter { item in !old.contains { $0.text == item.text } }
    if let gone = old.first(where: { item in !new.contains { $0.id == item.id } }) {
      return "\(change.id.words): item \(gone.id) is gone"
    }
    if changed.count > 1 {
      let before = old.first { $0.id == changed[1].id }
      return "\(change.id.words): item \(changed[1].id) is \(changed[1].text), was \(before?.text ?? "none")"
    }
    guard let item = changed.first, case .timestamp(let stamp)? = change.newFields[.documentStamp],
      item.updatedAt != stamp.milliseconds
    else { return nil }
    return "\(change.id.words): item \(item.id) has stamp \(item.updatedAt), its document \(stamp.milliseconds)"
  }
}
