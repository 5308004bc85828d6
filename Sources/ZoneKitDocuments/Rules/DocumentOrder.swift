import ZoneKitRecords

/// The order of the versions of a document: by the time of the edit, then alive before deleted, then by the canonical text
/// of the fields without the items, as unsigned bytes. It is total, and equal in every place.
package struct DocumentOrder: Comparable, Sendable {
  private let stamp: WallTime
  private let isAlive: Bool
  private let text: [UInt8]

  /// The place of a version. `items` is the field with items, which merge by themselves.
  package init(_ fields: Fields, leavingOut items: Name?) {
    stamp = fields.editedAt
    isAlive = !fields.isDeleted
    var header = fields
    if let items { header.remove(items) }
    text = EncodedFields(header).utf8
  }

  /// Whether the first version is the older one.
  package static func < (first: DocumentOrder, second: DocumentOrder) -> Bool {
    if first.stamp != second.stamp { return first.stamp < second.stamp }
    if first.isAlive != second.isAlive { return second.isAlive }
    return first.text.lexicographicallyPrecedes(second.text)
  }

  /// What decides between two different versions: the name of the rule in the conflict journal.
  package func rule(against other: DocumentOrder) -> String {
    if stamp != other.stamp { return "updatedAt" }
    return isAlive != other.isAlive ? "alive" : "content"
  }
}

extension DocumentItem: Comparable {
  /// Whether the first version of an item is the older one: by the time of the edit, then alive before removed, then by the
  /// canonical text.
  package static func < (first: DocumentItem, second: DocumentItem) -> Bool {
    if first.updatedAt != second.updatedAt { return first.updatedAt < second.updatedAt }
    if first.isRemoved != second.isRemoved { return first.isRemoved }
    return first.text.utf8.span.comesBefore(second.text.utf8.span)
  }
}
