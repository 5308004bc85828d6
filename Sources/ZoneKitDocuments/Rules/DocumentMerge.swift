import ZoneKitRecords

/// Merges versions of a document of one collection. The sides can be swapped, and merging twice changes nothing. It makes
/// no time stamp and no ID.
package struct DocumentMerge {
  /// The field with items; nil if documents of the collection have none.
  private let items: Name?

  /// Merges documents of that collection.
  package init(_ collection: DocumentCollection) { items = collection.items?.name }

  /// The place of a version in the order.
  package func order(_ fields: Fields) -> DocumentOrder { DocumentOrder(fields, leavingOut: items) }

  /// The merge without a common ancestor: items one by one, everything else from the greater version.
  package func join(_ first: Fields, _ second: Fields) -> Fields {
    var joined = order(first) < order(second) ? second : first
    if let items { joined.set(union(first, second, in: items), in: items) }
    return joined
  }

  /// The merge with a common ancestor: a field that only one side changed has that side's value, one that both changed the
  /// value of the greater version. The time of the edit and the mark of deletion are those of the greater version, items
  /// merge one by one.
  package func merge(_ first: Fields, _ second: Fields, ancestor: Fields) -> Fields {
    let isSecond = order(first) < order(second)
    let (winner, loser) = isSecond ? (second, first) : (first, second)
    var merged = winner
    for name in Set((winner.sorted + loser.sorted + ancestor.sorted).map(\.name)).sorted() {
      guard name != .documentStamp, name != .deleted, name != items, isSame(winner[name], ancestor[name]) else {
        continue
      }
      merged[name] = loser[name]
    }
    if let items { merged.set(union(first, second, in: items), in: items) }
    return merged
  }

  /// Whether two fields are written alike. Swift takes two encodings of one text for equal, which are different values.
  private func isSame(_ first: FieldValue?, _ second: FieldValue?) -> Bool {
    func bytes(_ value: FieldValue) -> [UInt8] { EncodedFields(Fields([Field(name: "value", value: value)])).utf8 }
    return first.map(bytes) == second.map(bytes)
  }

  /// Of each item the greater version.
  private func union(_ first: Fields, _ second: Fields, in field: Name) -> [DocumentItem] {
    let sides = (first.items(in: field) ?? []) + (second.items(in: field) ?? [])
    return Array(Dictionary(sides.map { ($0.id, $0) }) { max($0, $1) }.values)
  }

  // MARK: What users see

  /// Whether two versions show the same: both are deleted, or their fields and the items that were not removed are equal,
  /// time stamps left aside.
  package func showsSame(_ first: Fields, _ second: Fields) -> Bool {
    if first.isDeleted, second.isDeleted { return true }
    return first.isDeleted == second.isDeleted && shown(first) == shown(second)
  }

  /// The text of what a version shows.
  private func shown(_ fields: Fields) -> [UInt8] {
    var shown = fields
    shown.remove(.documentStamp)
    if let items {
      shown[items] = .stringList((fields.items(in: items) ?? []).filter { !$0.isRemoved }.map(\.shown))
    }
    return EncodedFields(shown).utf8
  }
}

extension DocumentItem {
  /// Whether both versions of an item show the same: they are equal, time stamps left aside.
  package func showsSame(as other: DocumentItem) -> Bool { shown.utf8.elementsEqual(other.shown.utf8) }

  /// The canonical text without the time of the edit.
  fileprivate var shown: String {
    JSON.object((json.object ?? []).filter { $0.key != "updatedAt" }).text(.canonical)
  }
}
