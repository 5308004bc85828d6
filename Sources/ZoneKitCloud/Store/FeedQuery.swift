import ZoneKitRecords

/// Which part of a zone's feed to read.
package struct FeedQuery: Hashable, Sendable {
  /// Forwards: rows with a greater sequence. Backwards: rows with a smaller one.
  package var position: Int64
  /// Descending sequences, towards the beginning of the zone.
  package var isReversed: Bool
  /// At most this many rows.
  package var limit: Int
  /// Only these types, and all tombstones; nil for all.
  package var recordTypes: [Name]?

  /// The part of the feed behind that position.
  package init(position: Int64, isReversed: Bool, limit: Int, recordTypes: [Name]?) {
    self.position = position
    self.isReversed = isReversed
    self.limit = limit
    self.recordTypes = recordTypes
  }
}

extension FeedQuery {
  /// Everything in a zone, in one page.
  static let whole = FeedQuery(position: 0, isReversed: false, limit: .max, recordTypes: nil)
  /// All tombstones of a zone in one page: they are no records of a type, and come through every filter.
  static let tombstones = FeedQuery(position: 0, isReversed: false, limit: .max, recordTypes: [])
}

/// A page as a store reads it.
package struct FeedPage: Hashable, Sendable {
  /// The rows, in the order that was asked for.
  package var page: RecordPage
  /// The sequence of the last row; the position that was asked from, where there is none.
  package var position: Int64
  /// Whether there are rows behind the last one.
  package var moreComing: Bool

  /// A page that ends at that position.
  package init(page: RecordPage, position: Int64, moreComing: Bool) {
    self.page = page
    self.position = position
    self.moreComing = moreComing
  }
}
