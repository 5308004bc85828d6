import ZoneKitRecords
import ZoneKitCloud

/// The numbers that runs of the server skipped, in a zone file. They change once in a run, so what the file has is kept and
/// written only where it differs.
struct GapTable {
  private let connection: Connection
  private let readGaps: Statement
  private let readDatabaseGaps: Statement
  private var known: Content?

  private struct Content: Equatable {
    var gaps: [RunGap] = []
    var databaseGaps: [NumberGap] = []
  }

  /// The gaps in the file of that connection.
  init(on connection: Connection) {
    self.connection = connection
    readGaps = Statement("SELECT start, \"end\", time, end_time FROM gaps ORDER BY start", on: connection)
    readDatabaseGaps = Statement("SELECT start, \"end\" FROM database_gaps ORDER BY start", on: connection)
  }

  /// The gaps of the zone and of its database, in ascending order.
  mutating func read() throws(StoreError) -> ([RunGap], [NumberGap]) {
    let content = try content()
    return (content.gaps, content.databaseGaps)
  }

  private mutating func content() throws(StoreError) -> Content {
    if let known { return known }
    var content = Content()
    // Earlier versions have no such tables.
    if connection.version >= 9 {
      content.gaps = try readGaps.all { row in
        RunGap(NumberGap(start: row.integer(0), end: row.integer(1)), from: row.time(2), to: row.time(3))
      }
      content.databaseGaps = try readDatabaseGaps.all { NumberGap(start: $0.integer(0), end: $0.integer(1)) }
    }
    known = content
    return content
  }

  /// Writes the gaps in the open transaction, if they changed.
  mutating func write(_ gaps: [RunGap], _ databaseGaps: [NumberGap]) throws(StoreError) {
    let new = Content(gaps: gaps, databaseGaps: databaseGaps)
    guard try content() != new else { return }
    known = nil
    try connection.execute("DELETE FROM gaps; DELETE FROM database_gaps")
    let insert = Statement("INSERT INTO gaps VALUES(?1, ?2, ?3, ?4)", on: connection)
    for gap in gaps {
      try insert.run(
        .integer(gap.numbers.start), .integer(gap.numbers.end), .time(gap.time), .time(gap.endTime))
    }
    let insertOfDatabase = Statement("INSERT INTO database_gaps VALUES(?1, ?2)", on: connection)
    for gap in databaseGaps { try insertOfDatabase.run(.integer(gap.start), .integer(gap.end)) }
    known = new
  }

  /// Drops what is known, after a rollback.
  mutating func forget() { known = nil }
}
