/// What a request for rows read or changed.
public struct RowResult: Hashable, Sendable {
  /// The rows, in the order of the answer.
  public var rows: RowSet
  /// The number of all rows that the query finds; nil if it was not counted.
  public var total: Int?
  /// For a write the verdict on each row, in the order of the request.
  public var verdicts: [RowVerdict]
  /// The state of the feed that the rows are part of; nil if several accounts were read.
  public var feed: RowFeed?

  /// A result with those rows.
  public init(_ rows: RowSet, total: Int? = nil, verdicts: [RowVerdict] = [], feed: RowFeed? = nil) {
    self.rows = rows
    self.total = total
    self.verdicts = verdicts
    self.feed = feed
  }
}
