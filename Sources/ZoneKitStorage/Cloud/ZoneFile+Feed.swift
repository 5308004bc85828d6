import ZoneKitRecords
import ZoneKitCloud

extension ZoneFile {
  /// A page of the feed. One more row is read to determine whether more follows.
  func feed(_ query: FeedQuery) throws(StoreError) -> FeedPage {
    let types = query.recordTypes?.map { Array($0.text.utf8) }
    var draft = PageDraft()
    var position = query.position
    var moreComing = false
    try visit(query) { row throws(StoreError) in
      guard row.flag(9) ? query.hasTombstones : Self.isWanted(row.utf8(2), of: types) else { return true }
      moreComing = query.endsPage(of: draft.rows.count, bytes: draft.bytes.count, beforeRowOf: row.utf8(3).count)
      guard !moreComing else { return false }
      try verify(row)
      try append(row, to: &draft)
      position = row.integer(0)
      return true
    }
    let page = RecordPage(bytes: draft.bytes, rows: draft.rows, authors: draft.authors)
    return FeedPage(page: page, position: position, moreComing: moreComing)
  }

  /// Calls `take` with the rows that a query may find, until it returns false. Rows of one type, or tombstones alone, are
  /// found by an index if the file has one.
  private func visit(_ query: FeedQuery, _ take: (Row) throws(StoreError) -> Bool) throws(StoreError) {
    let start = Statement.Value.integer(query.position)
    guard !query.isReversed else { return try feedBackwards.visit(start, row: take) }
    switch query.recordTypes {
    case let types? where types.count == 1 && !query.hasTombstones:
      try feedOfType.visit(start, .text(types[0].text), row: take)
    case let types? where types.isEmpty && query.hasTombstones: try feedOfTombstones.visit(start, row: take)
    default: try feedForwards.visit(start, row: take)
    }
  }

  /// The highest sequence of a row that was saved at that time or earlier; 0 if there is none. Times rise with sequences,
  /// so halving the range finds it.
  func sequence(through time: WallTime) throws(StoreError) -> Int64 {
    var found: Int64 = 0
    var low: Int64 = 0
    var high = try header()?.sequence ?? 0
    // The row is `found`, or its sequence is in low + 1 ... high.
    while low < high {
      let middle = low + (high - low) / 2
      let next = try timeAfter.first(.integer(middle)) { (sequence: $0.integer(0), time: $0.integer(1)) }
      if let next, next.sequence <= high, next.time <= time.milliseconds {
        found = next.sequence
        low = next.sequence
      } else {
        high = middle
      }
    }
    return found
  }

  private static func isWanted(_ type: UnsafeRawBufferPointer, of types: [[UInt8]]?) -> Bool {
    guard let types else { return true }
    return types.contains { type.elementsEqual($0) }
  }

  /// Appends the record or tombstone in a row to a page.
  func append(_ row: Row, to draft: inout PageDraft) throws(StoreError) {
    let isDeleted = row.flag(9)
    let name = draft.append(row.utf8(1))
    let nothing = name.upperBound..<name.upperBound
    draft.rows.append(
      RecordPage.Row(
        name: name, type: isDeleted ? nothing : draft.append(row.utf8(2)),
        fields: isDeleted ? nothing : draft.append(row.utf8(3)), tag: draft.appendTag(row.integer(0)),
        parent: draft.append(row.utf8(4)), createdAt: WallTime(milliseconds: row.integer(5)),
        createdBy: try index(of: row.integer(6), in: &draft), modifiedAt: WallTime(milliseconds: row.integer(7)),
        modifiedBy: try index(of: row.integer(8), in: &draft), isDeleted: isDeleted,
        version: row.integer(11)))
  }

  private func index(of number: Int64, in draft: inout PageDraft) throws(StoreError) -> Int {
    if let index = draft.authorNumbers.firstIndex(of: number) { return index }
    draft.authors.append(try authors.author(number))
    draft.authorNumbers.append(number)
    return draft.authors.count - 1
  }
}
