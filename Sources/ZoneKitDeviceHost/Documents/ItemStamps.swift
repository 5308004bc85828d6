import ZoneKitDocuments
import ZoneKitRecords

/// The stamps of items: an item that an edit adds, changes, removes or restores has the stamp of the edit.
package struct ItemStamps: Sendable {
  private let fields: [Name]

  /// The stamps of the items of that schema's documents.
  package init(_ schema: DocumentSchema) {
    fields = Set(schema.collections.compactMap { $0.items?.name }).sorted()
  }

  /// The fields after an edit with that stamp. `before` are the fields that it replaces; nil if there are none, and then
  /// every item is new.
  @Sendable package func stamped(_ fields: Fields, before: Fields?, at stamp: WallTime) -> Fields {
    var stamped = fields
    for field in self.fields {
      guard let items = fields.items(in: field) else { continue }
      let known = Dictionary((before?.items(in: field) ?? []).map { ($0.id, $0) }) { $1 }
      stamped.set(
        items.map { item in
          known[item.id] == item ? item : item.setting("updatedAt", .integer(stamp.milliseconds))
        }, in: field)
    }
    return stamped
  }
}

extension DocumentItem {
  /// When it was made, in milliseconds since 1970.
  package var createdAt: Int64 { json["createdAt"]?.integer ?? 0 }

  /// The item with another value of a member, or without it.
  package func setting(_ member: String, _ value: JSON?) -> DocumentItem {
    let others = (json.object ?? []).filter { $0.key != member }
    return DocumentItem(.object(others + (value.map { [JSON.Member(member, $0)] } ?? []))) ?? self
  }
}
