import ZoneKitRecords

/// A query for the live records of one type. Stores answer it with indexes of their own; `matches(among:)` states what the
/// answer is.
package struct RecordQuery: Hashable, Sendable {
  /// An order of records by one value.
  package struct Order: Hashable, Sendable {
    /// The value.
    package var key: RecordKey
    /// Whether greater values come first.
    package var isDescending: Bool
    /// Whether records without a value come first.
    package var missingFirst: Bool

    /// An order by that value.
    package init(_ key: RecordKey, isDescending: Bool = false, missingFirst: Bool = false) {
      self.key = key
      self.isDescending = isDescending
      self.missingFirst = missingFirst
    }
  }

  /// The type of the records.
  package var recordType: Name
  /// The condition, which is true for the records that are found.
  package var condition: RecordCondition
  /// The order; after it records are in the order of their names.
  package var order: [Order]
  /// The place in the order after which the records begin; nil for the beginning.
  package var after: Position?
  /// The number of records to leave out at the beginning.
  package var offset: Int
  /// The most records.
  package var limit: Int
  /// Whether all records that fulfil the condition are counted.
  package var isCounted: Bool
  /// The most bytes. A page with a single record may have more.
  package var byteLimit = AnswerSize.reading

  /// A query for all records of that type, in the order of their names, unless stated otherwise.
  package init(
    _ recordType: Name, where condition: RecordCondition = .all([]), order: [Order] = [], after: Position? = nil,
    offset: Int = 0,
    limit: Int = .max, isCounted: Bool = false
  ) {
    self.recordType = recordType
    self.condition = condition
    self.order = order
    self.after = after
    self.offset = offset
    self.limit = limit
    self.isCounted = isCounted
  }

  /// The answer over those records and tombstones.
  package func matches(among records: some Sequence<StoredRecord>) throws(StoreError) -> RecordMatches {
    var found: [(record: StoredRecord, position: Position)] = []
    for record in records where !record.isDeleted && record.recordType == recordType {
      let sight = RecordSight(record, try record.fields.decoded())
      if condition.truth(of: sight) == true { found.append((record, position(of: sight))) }
    }
    var matches = RecordMatches(count: isCounted ? found.count : nil)
    if let after { found.removeAll { !comesBefore(after, $0.position) } }
    found.sort { comesBefore($0.position, $1.position) }
    for (record, _) in found.dropFirst(offset) {
      let bytes = matches.page.bytes.count + record.fields.utf8.count
      guard matches.page.count < limit, matches.page.count == 0 || bytes <= byteLimit else {
        matches.moreComing = true
        break
      }
      matches.page.append(record.record, isDeleted: false, version: record.version)
    }
    return matches
  }
}

/// The records that a query finds.
package struct RecordMatches: Hashable, Sendable {
  /// The records, in the order of the query.
  package var page = RecordPage()
  /// Whether there are more records after the last one.
  package var moreComing = false
  /// The number of all records that fulfil the condition; nil if they were not counted.
  package var count: Int?

  /// No records.
  package init(count: Int? = nil) { self.count = count }

  /// These records.
  package init(page: RecordPage, moreComing: Bool, count: Int?) {
    self.page = page
    self.moreComing = moreComing
    self.count = count
  }
}
