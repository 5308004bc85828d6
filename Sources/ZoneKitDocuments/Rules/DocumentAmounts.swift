import ZoneKitRecords

/// The amounts of items that are summed, where they are in stored texts, and what is counted with them.
package struct DocumentAmounts: Sendable {
  /// The amounts. The place of each is its index.
  package let names: [Name]
  /// The members of the sums of a day with the number of documents and of items; none if nothing is summed by day.
  package let counts: [Name]
  /// The layout of the amounts in the text of an item.
  let itemLayout: ObjectLayout
  /// The layout of a document's part of the sums of its day: the amounts, its ID, the number of its items, its time stamp.
  let partLayout: ObjectLayout

  /// The place of the document's ID in its part.
  var id: Int { names.count }
  /// The place of the number of items.
  var items: Int { names.count + 1 }
  /// The place of the time of the document's last edit.
  var stamp: Int { names.count + 2 }

  /// The amounts with those names.
  package init(_ names: [Name], counts: [Name]) {
    self.names = names
    self.counts = counts
    let places = names.enumerated().map { (name: $1, place: $0) }
    itemLayout = ObjectLayout(members: places)
    let first = names.count
    partLayout = ObjectLayout(
      members: places + [("_id", first), ("items", first + 1), (.documentStamp, first + 2)])
  }
}
