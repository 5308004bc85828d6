import ZoneKitRecords

/// The sums of the items of a document. Removed items do not count, and an amount that is not known counts as zero.
package struct DocumentTotals: Hashable, Sendable {
  private var sums: [Name: Int64] = [:]

  /// Sums of nothing.
  package init() {}

  /// The sums of the items that were not removed.
  package init(of items: [DocumentItem], _ amounts: [Name]) {
    let layout = ObjectLayout(members: amounts.enumerated().map { (name: $1, place: $0) })
    for item in items where !item.isRemoved {
      let text = item.text.utf8.span
      var walk = ObjectWalk(0..<text.count, layout)
      while let entry = try? walk.next(in: text) {
        add(Int64(canonical: text.extracting(entry.value)) ?? 0, to: amounts[entry.place])
      }
    }
  }

  /// The sum of an amount.
  package subscript(_ amount: Name) -> Int64 { sums[amount] ?? 0 }

  /// Adds to the sum of an amount, up to the largest number.
  package mutating func add(_ value: Int64, to amount: Name) {
    let (sum, isTooLarge) = self[amount].addingReportingOverflow(value)
    sums[amount] = isTooLarge ? .max : sum
  }
}
