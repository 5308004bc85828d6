import ZoneKitRecords

/// The sums of the items of a document. Removed items do not count, and an amount that is not known counts as zero.
package struct DocumentTotals: Hashable, Sendable {
  private let names: [Name]
  private var sums: [Int64]

  /// Sums of nothing.
  package init(_ amounts: DocumentAmounts) {
    names = amounts.names
    sums = Array(repeating: 0, count: names.count)
  }

  /// The sums of the items that were not removed.
  package init(of items: [DocumentItem], _ amounts: DocumentAmounts) {
    self.init(amounts)
    for item in items where !item.isRemoved {
      let text = item.text.utf8.span
      var walk = ObjectWalk(0..<text.count, amounts.itemLayout)
      while let entry = try? walk.next(in: text) {
        add(Int64(canonical: text.extracting(entry.value)) ?? 0, at: entry.place)
      }
    }
  }

  /// The sum of an amount; 0 of one that is not summed.
  package subscript(_ amount: Name) -> Int64 { names.firstIndex(of: amount).map { sums[$0] } ?? 0 }

  /// The sum of the amount with that place.
  subscript(_ place: Int) -> Int64 { sums[place] }

  /// Adds to the sum of the amount with that place, up to the largest number.
  mutating func add(_ value: Int64, at place: Int) {
    let (sum, isTooLarge) = sums[place].addingReportingOverflow(value)
    sums[place] = isTooLarge ? .max : sum
  }

  /// Adds sums of the same amounts, each up to the largest number.
  package mutating func add(_ other: DocumentTotals) {
    for place in sums.indices { add(other.sums[place], at: place) }
  }
}
