/// A request for a page of the records that a query finds (CloudKit Web Services, a.1 row 1).
public struct QueryRecords: Hashable, Sendable {
  /// The query.
  public var query: CloudQuery
  /// The zone in which records are looked for; nil for all zones of the database.
  public var zoneID: ZoneID?
  /// The most records of the page, limited to 1 ... `pageLimit`.
  public var limit: Int
  /// Where the page begins: the continuation marker of the page before it; nil for the first page.
  public var marker: String?

  /// The most records of one page (CloudKit Web Services, g).
  public static let pageLimit = 200

  /// A request for the page after that marker.
  public init(
    _ query: CloudQuery, in zoneID: ZoneID? = .defaultZone, limit: Int = QueryRecords.pageLimit, marker: String? = nil
  ) {
    self.query = query
    self.zoneID = zoneID
    self.limit = min(max(limit, 1), Self.pageLimit)
    self.marker = marker
  }
}

/// A page of the records that a query finds.
public struct QueriedRecords: Hashable, Sendable {
  /// Records of one zone that follow each other in the page.
  public struct Run: Hashable, Sendable {
    /// The zone.
    public var zoneID: ZoneID
    /// The records.
    public var page: RecordPage

    /// Records of that zone.
    public init(zoneID: ZoneID, page: RecordPage) {
      self.zoneID = zoneID
      self.page = page
    }
  }

  /// The records, in the order of the query.
  public var runs: [Run]
  /// The continuation marker for the next page; nil if there are no more records.
  public var marker: String?
  /// The current position of the zone's feed; nil for the default zone and for several zones.
  public var token: ChangeToken?

  /// A page of those records.
  public init(runs: [Run], marker: String?, token: ChangeToken?) {
    self.runs = runs
    self.marker = marker
    self.token = token
  }

  /// The number of records.
  public var count: Int { runs.reduce(0) { $0 + $1.page.count } }
}

/// The result of one query of a request.
public enum QueryResult: Hashable, Sendable {
  /// A page of records.
  case records(QueriedRecords)
  /// The error of the query.
  case failed(CloudError)
}
