public import ZoneKitRecords

/// The answer to a request for rows.
public enum RowResponse: Hashable, Sendable {
  /// The request was carried out.
  case done(RowResult)
  /// The request was refused and changed nothing.
  case refused(RowError)
}

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

/// The rows of an answer.
public enum RowSet: Hashable, Sendable {
  /// Rows as values.
  case rows([Row])
  /// The records of rows that belong to an account, as one block of memory. The answer copies from it.
  case page(RecordPage, owner: UUID)

  /// The number of rows.
  public var count: Int {
    switch self {
    case .rows(let rows): rows.count
    case .page(let page, owner: _): page.count
    }
  }
}

/// The decision on one row of a write.
public enum RowVerdict: String, Hashable, Sendable, CaseIterable {
  /// The row is new.
  case inserted
  /// The row was changed.
  case updated
  /// The row has this content already.
  case same
  /// The change was accepted before.
  case `repeat`
  /// The row that exists is greater and stays.
  case kept
}

/// The state of the feed of a zone.
public struct RowFeed: Hashable, Sendable {
  /// Which life of the zone it is. Positions of another one mean nothing.
  public var incarnation: UInt64
  /// The newest stamp.
  public var newest: WallTime
  /// The stamp up to which deletions were forgotten; zero if none were.
  public var horizon: WallTime

  /// A feed in that state.
  public init(incarnation: UInt64, newest: WallTime, horizon: WallTime) {
    self.incarnation = incarnation
    self.newest = newest
    self.horizon = horizon
  }
}
