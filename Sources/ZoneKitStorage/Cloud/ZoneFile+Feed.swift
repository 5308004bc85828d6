import ZoneKitRecords
import ZoneKitCloud

extension ZoneFile {
  /// A page of the feed. One more row is read to determine whether more follows.
  func feed(_ query: FeedQuery) throws(StoreError) -> FeedPage {
    let types = query.recordTypes?.map { Array($0.text.utf8) }
    var draft = PageDraft()
    var position = query.position
    var moreComing = false
    let statement = query.isReversed ? feedBackwards : feedForwards
    try statement.visit(.integer(query.position)) { row throws(StoreError) in
      guard row.flag(9) || Self.isWanted(row.utf8(2), of: types) else { return true }
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

  private static func isWanted(_ type: UnsafeRawBufferPointer, of types: [[UInt8]]?) -> Bool {
    guard let types else { return true }
    return types.contains { type.elementsEqual($0) }
  }

  private func append(_ row: Row, to draft: inout PageDraft) throws(StoreError) {
    let isDeleted = row.flag(9)
    let name = draft.append(row.utf8(1))
    let nothing = name.upperBound..<name.upperBound
    draft.rows.append(
      RecordPage.Row(
        name: name, type: isDeleted ? nothing : draft.append(row.utf8(2)),
        fields: isDeleted ? nothing : draft.append(row.utf8(3)), tag: draft.appendTag(row.integer(0)),
        parent: draft.append(row.utf8(4)), createdAt: WallTime(milliseconds: row.integer(5)),
        createdBy: try index(of: row.integer(6), in: &draft), modifiedAt: WallTime(milliseconds: row.integer(7)),
        modifiedBy: try index(of: row.integer(8), in: &draft), isDeleted: isDeleted))
  }

  private func index(of number: Int64, in draft: inout PageDraft) throws(StoreError) -> Int {
    if let index = draft.authorNumbers.firstIndex(of: number) { return index }
    draft.authors.append(try authors.author(number))
    draft.authorNumbers.append(number)
    return draft.authors.count - 1
  }
}
