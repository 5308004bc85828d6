/// What a request for rows read or changed.
package struct RowResult: Hashable, Sendable {
  /// The rows, in the order of the answer.
  package var rows: RowSet
  /// The number of all rows that the query finds; nil if it was not counted.
  package var total: Int?
  /// For a write the verdict on each row, in the order of the request.
  package var verdicts: [RowVerdict]
  /// The state of the feed that the rows are part of; nil if several accounts were read.
  package var feed: RowFeed?

  /// A result with those rows.
  package init(_ rows: RowSet, total: Int? = nil, verdicts: [RowVerdict] = [], feed: RowFeed? = nil) {
    self.rows = rows
    self.total = total
    self.verdicts = verdicts
    self.feed = feed
  }
}
