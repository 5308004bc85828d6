import ZoneKitDocuments
import ZoneKitRecords

/// What a change of a plain client stores if it rests on the current version: it replaces that version, so its time stamps
/// have to be later, even if the client's clock is slow.
struct DocumentLift {
  private let items: Name?

  /// The rule for documents of that collection.
  init(_ collection: DocumentCollection) { items = collection.items?.name }

  /// The document of a change, with time stamps later than those that it replaces. Items of the stored version that the
  /// change does not name are removed.
  func lifted(_ fields: Fields, over stored: Fields) -> Fields {
    let before = items.flatMap { stored.items(in: $0) } ?? []
    let newest = before.map(\.updatedAt).reduce(stored.editedAt.milliseconds, max)
    let stamp = WallTime(milliseconds: max(fields.editedAt.milliseconds, newest + 1)).inDocument.milliseconds
    var lifted = fields
    lifted[.documentStamp] = .timestamp(WallTime(milliseconds: stamp))
    guard let items else { return lifted }
    var kept = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.isRemoved ? $0 : $0.removed(at: stamp)) })
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    for item in fields.items(in: items) ?? [] { kept[item.id] = item.lifted(over: known[item.id]) }
    lifted.set(Array(kept.values), in: items)
    return lifted
  }
}

extension DocumentItem {
  /// The item as it is removed at that time.
  fileprivate func removed(at stamp: Int64) -> DocumentItem {
    changed(stamp: stamp) { $0.append(JSON.Member("deleted", .integer(1))) }
  }

  /// The item in place of an earlier version: the newer one if both show the same, else with a later time stamp.
  fileprivate func lifted(over before: DocumentItem?) -> DocumentItem {
    guard let before else { return self }
    if showsSame(as: before) { return max(self, before) }
    let stamp = WallTime(milliseconds: max(updatedAt, before.updatedAt + 1)).inDocument.milliseconds
    return changed(stamp: stamp) { _ in }
  }

  private func changed(stamp: Int64, _ change: (inout [JSON.Member]) -> Void) -> DocumentItem {
    var members = (json.object ?? []).filter { $0.key != "updatedAt" }
    members.append(JSON.Member("updatedAt", .integer(stamp)))
    change(&members)
    return DocumentItem(.object(members)) ?? self
  }
}
