import ZoneKitDocuments
import ZoneKitRecords

/// The stamps of items: an item that an edit adds, changes, removes or restores has the stamp of the edit.
enum ItemStamps {
  /// The fields after an edit with that stamp. `before` are the fields that it replaces; nil if there are none, and then
  /// every item is new.
  @Sendable static func stamped(_ fields: Fields, before: Fields?, at stamp: WallTime) -> Fields {
    guard let items = fields.items(in: field) else { return fields }
    let known = Dictionary((before?.items(in: field) ?? []).map { ($0.id, $0) }) { $1 }
    var stamped = fields
    stamped.set(
      items.map { item in
        known[item.id] == item ? item : item.setting("updatedAt", .integer(stamp.milliseconds))
      }, in: field)
    return stamped
  }

  private static let field: Name = "items"
}
