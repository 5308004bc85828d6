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
    var (left, right) = ((first.items(in: field) ?? [])[...], (second.items(in: field) ?? [])[...])
    var union: [DocumentItem] = []
    union.reserveCapacity(left.count + right.count)
    // Both sides are ascending.
    while let one = left.first, let other = right.first {
      let (isBefore, isBehind) = (one.comesBefore(other), other.comesBefore(one))
      union.append(isBefore ? one : isBehind ? other : max(one, other))
      if !isBehind { left.removeFirst() }
      if !isBefore { right.removeFirst() }
    }
    return union + left + right
  }

  // MARK: What users see

  /// Whether two versions show the same: both are deleted, or their fields and the items that were not removed are equal,
  /// time stamps left aside.
  package func showsSame(_ first: Fields, _ second: Fields) -> Bool {
    if first.isDeleted, second.isDeleted { return true }
    guard first.isDeleted == second.isDeleted, header(first) == header(second) else { return false }
    guard let items, !Self.hasSameTexts(first[items], second[items]) else { return true }
    let (own, others) = (first.shownItems(in: items), second.shownItems(in: items))
    return own.count == others.count && zip(own, others).allSatisfy { $0.showsSame(as: $1) }
  }

  /// The text of the fields without the items and the time of the edit.
  private func header(_ fields: Fields) -> [UInt8] {
    var header = fields
    header.remove(.documentStamp)
    if let items { header.remove(items) }
    return EncodedFields(header).utf8
  }

  private static func hasSameTexts(_ first: FieldValue?, _ second: FieldValue?) -> Bool {
    guard case .stringList(let own)? = first, case .stringList(let others)? = second else { return false }
    return own.count == others.count && zip(own, others).allSatisfy { $0.utf8.span.isEqual(to: $1.utf8.span) }
  }
}

extension Fields {
  /// The items in a field that were not removed.
  fileprivate func shownItems(in field: Name) -> [DocumentItem] { (items(in: field) ?? []).filter { !$0.isRemoved } }
}
