import ZoneKitRecords

/// A part of a zone's feed.
package struct FeedQuery: Hashable, Sendable {
  /// The exclusive start: forward, rows with a higher sequence are read; in reverse, rows with a lower one.
  package var position: Int64
  /// Whether rows are read in descending order of their sequences.
  package var isReversed: Bool
  /// The most rows.
  package var limit: Int
  /// The record types to read, besides tombstones; nil for all.
  package var recordTypes: [Name]?
  /// Whether tombstones are read, those of all types.
  package var hasTombstones: Bool
  /// The most bytes. A page with a single row may have more.
  package var byteLimit: Int

  /// The part of the feed behind that position.
  package init(
    position: Int64, isReversed: Bool, limit: Int, recordTypes: [Name]?, hasTombstones: Bool = true,
    byteLimit: Int = .max
  ) {
    self.position = position
    self.isReversed = isReversed
    self.limit = limit
    self.recordTypes = recordTypes
    self.hasTombstones = hasTombstones
    self.byteLimit = byteLimit
  }

  /// Whether a page with that number of rows and bytes ends before a row with that number of bytes of fields.
  package func endsPage(of rows: Int, bytes: Int, beforeRowOf fields: Int) -> Bool {
    rows >= limit || (rows > 0 && bytes + fields > byteLimit)
  }
}

extension FeedQuery {
  /// The whole feed of a zone, in one page.
  static let whole = FeedQuery(position: 0, isReversed: false, limit: .max, recordTypes: nil)
  /// All tombstones of a zone, in one page. Tombstones have no record type, so they pass every filter.
  package static let tombstones = FeedQuery(position: 0, isReversed: false, limit: .max, recordTypes: [])
}

/// A page of a feed, as a store reads it.
package struct FeedPage: Hashable, Sendable {
  /// The rows, in the direction of the query.
  package var page: RecordPage
  /// The sequence of the last row; the position of the query if there are no rows.
  package var position: Int64
  /// Whether there are more rows after the last one.
  package var moreComing: Bool

  /// A page that ends at that position.
  package init(page: RecordPage, position: Int64, moreComing: Bool) {
    self.page = page
    self.position = position
    self.moreComing = moreComing
  }

  /// The page of a query for which an answer has no room left: it is empty, and all rows are still to come.
  init(postponed query: FeedQuery) {
    self.init(page: RecordPage(), position: query.position, moreComing: true)
  }
}
