import ZoneKitRecords

extension RecordQuery {
  /// The place of a record in the order of a query.
  package struct Position: Hashable, Sendable {
    /// The values by which the query orders, in its order; nil where the record has none.
    package var values: [RecordValue?]
    /// The record's name, which orders records with equal values; nil for the place behind all records with these values.
    package var recordName: Name?

    /// A place with those values.
    package init(values: [RecordValue?], recordName: Name?) {
      self.values = values
      self.recordName = recordName
    }
  }

  /// The place of a record.
  package func position(of record: RecordSight) -> Position {
    Position(values: order.map { record[$0.key] }, recordName: record.recordName)
  }

  /// Whether a record at the first place comes before one at the second.
  package func comesBefore(_ first: Position, _ second: Position) -> Bool {
    if let isBefore = comesBefore(first.values, second.values) { return isBefore }
    guard let one = first.recordName else { return false }
    guard let other = second.recordName else { return true }
    return one < other
  }

  /// Whether a record with the first values comes before one with the second ones; nil if the values are equal.
  func comesBefore(_ first: [RecordValue?], _ second: [RecordValue?]) -> Bool? {
    for (place, term) in order.enumerated() {
      switch (first[place], second[place]) {
      case (nil, nil): continue
      case (nil, _): return term.missingFirst
      case (_, nil): return !term.missingFirst
      case (let one?, let other?):
        if one < other { return !term.isDescending }
        if other < one { return term.isDescending }
      }
    }
    return nil
  }
}
