import ZoneKitRecords

/// Merges versions of a document of one collection. The sides can be swapped, and merging twice changes nothing. It makes
/// no time stamp and no ID.
package struct DocumentMerge {
  /// The field with items; nil if documents of the collection have none.
  private let items: Name?

  /// Merges documents of that collection.
  package init(_ collection: DocumentCollection) { items = collection.items?.name }

  /// A version of a document, whose items are read once for all that is asked about it.
  package struct Version {
    /// The fields of the document.
    package private(set) var fields: Fields
    /// The items, ascending by ID; none if they cannot be read.
    fileprivate private(set) var items: [DocumentItem]

    fileprivate init(_ fields: Fields, itemsIn field: Name?) {
      self.fields = fields
      items = field.flatMap { fields.items(in: $0) } ?? []
    }

    /// Sets the items of a field.
    fileprivate mutating func set(_ items: [DocumentItem], in field: Name) {
      self.items = items
      fields.set(items, in: field)
    }
  }

  /// The version with those fields.
  package func version(_ fields: Fields) -> Version { Version(fields, itemsIn: items) }

  /// The place of a version in the order.
  package func order(_ fields: Fields) -> DocumentOrder { DocumentOrder(fields, leavingOut: items) }

  private func order(_ version: Version) -> DocumentOrder { order(version.fields) }

  /// The merge without a common ancestor: items one by one, everything else from the greater version.
  package func join(_ first: Fields, _ second: Fields) -> Fields { join(version(first), version(second)).fields }

  /// The same for versions that were read.
  package func join(_ first: Version, _ second: Version) -> Version {
    var joined = order(first) < order(second) ? second : first
    if let items { joined.set(union(first, second), in: items) }
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
    if let items { merged.set(union(version(first), version(second)), in: items) }
    return merged
  }

  /// Whether two fields are written alike. Swift takes two encodings of one text for equal, which are different values.
  private func isSame(_ first: FieldValue?, _ second: FieldValue?) -> Bool {
    func bytes(_ value: FieldValue) -> [UInt8] { EncodedFields(Fields([Field(name: "value", value: value)])).utf8 }
    return first.map(bytes) == second.map(bytes)
  }

  /// Of each item the greater version.
  private func union(_ first: Version, _ second: Version) -> [DocumentItem] {
    var (left, right) = (first.items[...], second.items[...])
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

  /// Whether two versions are written alike. False for versions whose items are no list of texts.
  package func isEqual(_ first: Version, _ second: Version) -> Bool {
    var (own, others) = (first.fields, second.fields)
    if let items {
      guard case .stringList(let texts) = own[items], case .stringList(let otherTexts) = others[items],
        texts.count == otherTexts.count,
        zip(texts, otherTexts).allSatisfy({ $0.utf8.span.isEqual(to: $1.utf8.span) })
      else { return false }
      own.remove(items)
      others.remove(items)
    }
    return EncodedFields(own).utf8 == EncodedFields(others).utf8
  }

  // MARK: What users see

  /// Whether two versions show the same: both are deleted, or their fields and the items that were not removed are equal,
  /// time stamps left aside.
  package func showsSame(_ first: Version, _ second: Version) -> Bool {
    if first.fields.isDeleted, second.fields.isDeleted { return true }
    guard first.fields.isDeleted == second.fields.isDeleted, header(first.fields) == header(second.fields) else {
      return false
    }
    let (own, others) = (first.items.filter { !$0.isRemoved }, second.items.filter { !$0.isRemoved })
    return own.count == others.count && zip(own, others).allSatisfy { $0.showsSame(as: $1) }
  }

  /// The text of the fields without the items and the time of the edit.
  private func header(_ fields: Fields) -> [UInt8] {
    var header = fields
    header.remove(.documentStamp)
    if let items { header.remove(items) }
    return EncodedFields(header).utf8
  }
}
