import ZoneKitRecords
import ZoneKitCloud

/// One zone in one SQLite file. The file holds everything of the zone, so a copy of it is a backup.
///
/// Changes are written in a transaction that `commit` ends; reads include them before that. After an error within the
/// transaction, only `rollBack` is allowed.
final class ZoneFile {
  let connection: Connection
  private let beginTransaction: Statement
  private let commitTransaction: Statement
  private let findAnyReference: Statement
  private let readHeader: Statement
  private let writeHeader: Statement
  private let purgeTombstones: Statement
  private let upsert: Statement
  private let findRecord: Statement
  private let findReferences: Statement
  private let findReferrers: Statement
  private let insertReference: Statement
  private let deleteReferences: Statement
  private let readSchema: Statement
  private let insertDefinition: Statement
  /// The columns of a row that `record` reads.
  let readColumns: String
  let feedForwards: Statement
  let feedBackwards: Statement
  let feedOfType: Statement
  let feedOfTombstones: Statement
  let timeAfter: Statement
  /// The field texts of live records that have an asset. Only records of types with such a field are looked at.
  lazy var fieldsWithAssets = Statement(
    """
    SELECT fields FROM records WHERE deleted = 0 AND instr(fields, '{"fileChecksum":"') > 0 AND type IN
    (SELECT type FROM schema WHERE field_type IN ('\(FieldType.asset.rawValue)', '\(FieldType.assetList.rawValue)'))
    """, on: connection)
  var authors: AuthorTable
  private let queryIndexes: QueryIndexes
  private var gaps: GapTable
  private var schema: [Name: [FieldDefinition]] = [:]
  /// Whether the file may hold binding references. Most zones have none, and then a save need not look for old ones.
  private var mayHaveReferences = true
  /// Whether the file is known to have the indexes of a zone that is read by type.
  private var hasTypeIndexes = false
  private(set) var isInTransaction = false

  /// The file of a zone of that database at that path; of any database if `id` is nil.
  init(
    _ path: String, of id: DatabaseID?, access: Access, durability: Durability, checkpointPages: Int32,
    reserve: FileReserve? = nil, limit: ReadingLimit? = nil, isDamaged: Bool = false
  ) throws(StoreError) {
    let connection = try Connection(
      path, as: .zone, access: access, durability: durability, checkpointPages: checkpointPages,
      origin: id.map { FileOrigin($0) }, reserve: reserve, limit: limit, isDamaged: isDamaged)
    self.connection = connection
    authors = AuthorTable(on: connection)
    queryIndexes = QueryIndexes(on: connection, mayAdd: access != .observe)
    beginTransaction = Statement("BEGIN IMMEDIATE", on: connection)
    commitTransaction = Statement("COMMIT", on: connection)
    findAnyReference = Statement("SELECT EXISTS(SELECT 1 FROM refs)", on: connection)
    readHeader = Statement(
      "SELECT \(Self.headerColumns), \(Self.laterColumns(connection.version)) FROM zone", on: connection)
    writeHeader = Statement(
      """
      REPLACE INTO zone(id, \(Self.headerColumns), purges, horizon, after_loss, horizon_at, earlier, run, sharing)
      VALUES(1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """, on: connection)
    gaps = GapTable(on: connection)
    purgeTombstones = Statement("DELETE FROM records WHERE seq <= ?1 AND deleted <> 0", on: connection)
    upsert = Statement(
      """
      INSERT INTO records(\(Self.recordColumns), checksum, version)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      ON CONFLICT(name) DO UPDATE SET seq = excluded.seq, type = excluded.type, fields = excluded.fields,
      parent = excluded.parent, created_at = excluded.created_at, created_by = excluded.created_by,
      modified_at = excluded.modified_at, modified_by = excluded.modified_by, deleted = excluded.deleted,
      checksum = excluded.checksum, version = excluded.version
      """, on: connection)
    let checksumColumn = connection.version < 4 ? "NULL" : "checksum"
    let columns = "\(Self.recordColumns), \(checksumColumn), \(connection.version < 6 ? "1" : "version")"
    readColumns = columns
    findRecord = Statement("SELECT \(columns) FROM records WHERE name = ?1", on: connection)
    let references =
      connection.version < 3 ? "refs JOIN records ON records.name = refs.source" : "refs JOIN records USING (seq)"
    findReferences = Statement(
      "SELECT name, field, target, action FROM \(references) WHERE seq = ?1 ORDER BY field, target, action",
      on: connection)
    findReferrers = Statement(
      "SELECT name, field, target, action FROM \(references) WHERE target = ?1 ORDER BY name, field, action",
      on: connection)
    insertReference = Statement("INSERT INTO refs VALUES(?1, ?2, ?3, ?4)", on: connection)
    deleteReferences = Statement(
      "DELETE FROM refs WHERE seq = (SELECT seq FROM records WHERE name = ?1)", on: connection)
    readSchema = Statement("SELECT field, field_type FROM schema WHERE type = ?1 ORDER BY field", on: connection)
    insertDefinition = Statement("REPLACE INTO schema VALUES(?1, ?2, ?3)", on: connection)
    feedForwards = Statement(
      "SELECT \(columns) FROM records WHERE seq > ?1 ORDER BY seq", on: connection)
    feedBackwards = Statement(
      "SELECT \(columns) FROM records WHERE seq < ?1 ORDER BY seq DESC", on: connection)
    feedOfType = Statement(
      "SELECT \(columns) FROM records WHERE deleted = 0 AND type = ?2 AND seq > ?1 ORDER BY seq", on: connection)
    feedOfTombstones = Statement(
      "SELECT \(columns) FROM records WHERE deleted <> 0 AND seq > ?1 ORDER BY seq", on: connection)
    timeAfter = Statement(
      "SELECT seq, modified_at FROM records WHERE seq > ?1 ORDER BY seq LIMIT 1", on: connection)
  }

  private static let headerColumns = """
    name, incarnation, sequence, database_sequence, deleted, record_count, tombstone_count, last_commit_at
    """
  /// The columns of the header that later versions added.
  private static func laterColumns(_ version: Int32) -> String {
    let columns: [(since: Int32, name: String)] = [
      (2, "purges"), (2, "horizon"), (4, "after_loss"), (5, "horizon_at"), (7, "earlier"), (9, "run"), (10, "sharing"),
    ]
    return columns.map { version < $0.since ? (["earlier", "sharing"].contains($0.name) ? "NULL" : "0") : $0.name }
      .joined(separator: ", ")
  }
  /// The meanings of the numbers in the column `deleted`.
  private static let deletions: [ZoneHeader.Deletion?] = [nil, .deleted, .purged, .encryptedDataReset, .lost]
  private static let recordColumns = """
    seq, name, type, fields, parent, created_at, created_by, modified_at, modified_by, deleted
    """

  /// The zone's header; nil if the zone's first commit was interrupted.
  func header() throws(StoreError) -> ZoneHeader? {
    try readHeader.first { row throws(StoreError) in
      var header = ZoneHeader(
        zoneName: Name(row.text(0)), incarnation: UInt64(bitPattern: row.integer(1)), sequence: row.integer(2),
        databaseSequence: row.integer(3), at: WallTime(milliseconds: row.integer(7)))
      // A number that a newer version wrote is some kind of deletion.
      let deletion = row.integer(4)
      let isKnown = Self.deletions.indices.contains(Int(clamping: deletion))
      header.deletion = isKnown ? Self.deletions[Int(deletion)] : .deleted
      header.recordCount = Int(row.integer(5))
      header.tombstoneCount = Int(row.integer(6))
      header.purges = row.integer(8)
      header.horizon = row.integer(9)
      header.isAfterLoss = row.flag(10)
      header.horizonAt = WallTime(milliseconds: row.integer(11))
      header.earlier = row.optionalText(12).map(EndedIncarnation.list)
      header.run = UInt64(bitPattern: row.integer(13))
      header.sharing = row.optionalText(14).flatMap { ZoneSharing(text: $0) }
      (header.gaps, header.databaseGaps) = try gaps.read()
      return header
    }
  }

  /// A statement of a query.
  func queryStatement(_ sql: String) -> Statement { queryIndexes.statement(sql) }

  /// The name of the index with those values of records of a type; nil if there is none and none can be made now.
  func queryIndex(_ keys: [RecordQuery.Order], of recordType: Name) throws(StoreError) -> String? {
    try queryIndexes.index(keys, of: recordType, isInTransaction: isInTransaction)
  }

  /// A record or tombstone.
  func record(_ name: Name) throws(StoreError) -> StoredRecord? {
    let found = try findRecord.first(.text(name.text)) { row throws(StoreError) in try record(row) }
    guard var record = found else { return nil }
    record.references = try references(ofRecordAt: record.sequence)
    return record
  }

  /// The record or tombstone in a row, without its references. `unknown` stands for an author that the file lacks.
  func record(_ row: Row, unknown: Author? = nil) throws(StoreError) -> StoredRecord {
    try verify(row)
    let created = try authorship(row, at: 5, unknown)
    let modified = try authorship(row, at: 7, unknown)
    var record = StoredRecord(
      recordName: Name(row.text(1)), recordType: Name(row.text(2)),
      fields: EncodedFields(canonical: Array(row.utf8(3))),
      sequence: row.integer(0), created: created, modified: modified, parent: row.optionalText(4).map { Name($0) },
      references: [])
    record.isDeleted = row.flag(9)
    record.version = row.integer(11)
    return record
  }

  /// Throws if a record does not match its checksum. Records from before version 4 have none.
  func verify(_ row: Row) throws(StoreError) {
    guard !row.isNull(10), row.integer(10) != RecordChecksum(row).value else { return }
    throw StoreError(.corrupt, "record \(row.text(1)) does not match its checksum", place: connection.path)
  }

  private func authorship(_ row: Row, at column: Int32, _ unknown: Author?) throws(StoreError) -> Authorship {
    let at = WallTime(milliseconds: row.integer(column))
    do throws(StoreError) {
      return Authorship(at: at, author: try authors.author(row.integer(column + 1)))
    } catch {
      guard let unknown else { throw error }
      return Authorship(at: at, author: unknown)
    }
  }

  /// The binding references that the record with that sequence holds.
  private func references(ofRecordAt sequence: Int64) throws(StoreError) -> [StoredReference] {
    try findReferences.all(.integer(sequence)) { row throws(StoreError) in try reference(row) }
  }

  /// The binding references to a record.
  func references(to name: Name) throws(StoreError) -> [StoredReference] {
    try findReferrers.all(.text(name.text)) { row throws(StoreError) in try reference(row) }
  }

  private func reference(_ row: Row) throws(StoreError) -> StoredReference {
    guard let action = Reference.Action(rawValue: row.text(3)) else {
      throw StoreError(.corrupt, "a reference has the unknown action \(row.text(3))", place: connection.path)
    }
    return StoredReference(
      source: Name(row.text(0)), field: Name(row.text(1)), target: Name(row.text(2)), action: action)
  }

  /// The known fields of a record type.
  func schema(of type: Name) throws(StoreError) -> [FieldDefinition] {
    if let known = schema[type] { return known }
    let found = try readSchema.all(.text(type.text)) { row throws(StoreError) in
      guard let fieldType = FieldType(rawValue: row.text(1)) else {
        throw StoreError(.corrupt, "a field has the unknown type \(row.text(1))", place: connection.path)
      }
      return FieldDefinition(recordType: type, field: Name(row.text(0)), type: fieldType)
    }
    schema[type] = found
    return found
  }

  /// All definitions of the zone.
  func definitions() throws(StoreError) -> [FieldDefinition] {
    let types = try Statement("SELECT DISTINCT type FROM schema ORDER BY type", on: connection)
      .all { row in Name(row.text(0)) }
    var all: [FieldDefinition] = []
    for type in types { all += try schema(of: type) }
    return all
  }

  /// Writes a change in the open transaction, and begins one if there is none.
  func write(_ change: ZoneTransition) throws(StoreError) {
    if !isInTransaction { try begin() }
    if change.isReadByType { try indexTypes() }
    if change.clearsZone { try clear() }
    if let last = change.purgedThrough { try purgeTombstones.run(.integer(last)) }
    for record in change.records { try write(record) }
    for definition in change.definitions { try write(definition) }
    try write(change.header)
  }

  private func begin() throws(StoreError) {
    try beginTransaction.run()
    connection.began()
    isInTransaction = true
    mayHaveReferences = try findAnyReference.first { $0.flag(0) } ?? false
  }

  /// Begins a transaction in which all reads have the state of now.
  func beginReading() throws(StoreError) {
    // SQLite's snapshot begins with the first read.
    try connection.execute("BEGIN; SELECT count(*) FROM zone")
    isInTransaction = true
  }

  /// Makes the indexes of a zone that is read by type. Other zones do without them, because each save would have to
  /// write them.
  private func indexTypes() throws(StoreError) {
    guard !hasTypeIndexes else { return }
    try connection.execute(
      """
      CREATE INDEX IF NOT EXISTS records_by_type ON records(type, seq) WHERE deleted = 0;
      CREATE INDEX IF NOT EXISTS tombstones ON records(seq) WHERE deleted <> 0
      """)
    hasTypeIndexes = true
  }

  private func clear() throws(StoreError) {
    try connection.execute("DELETE FROM records; DELETE FROM refs; DELETE FROM schema")
    schema.removeAll()
    mayHaveReferences = false
  }

  private func write(_ record: StoredRecord) throws(StoreError) {
    let createdBy = try authors.number(of: record.created.author)
    let modifiedBy = try authors.number(of: record.modified.author)
    // By its name, the references of the stored version are found only before the record moves.
    if mayHaveReferences { try deleteReferences.run(.text(record.recordName.text)) }
    let checksum = RecordChecksum(record, createdBy: createdBy, modifiedBy: modifiedBy)
    try upsert.run(
      .integer(record.sequence), .text(record.recordName.text), .text(record.recordType.text),
      .utf8(record.fields.utf8), .text(record.parent?.text), .integer(record.created.at.milliseconds),
      .integer(createdBy), .integer(record.modified.at.milliseconds), .integer(modifiedBy), .flag(record.isDeleted),
      .integer(checksum.value), .integer(record.version))
    for reference in record.references {
      mayHaveReferences = true
      try insertReference.run(
        .integer(record.sequence), .text(reference.field.text), .text(reference.target.text),
        .text(reference.action.rawValue))
    }
  }

  private func write(_ definition: FieldDefinition) throws(StoreError) {
    try insertDefinition.run(
      .text(definition.recordType.text), .text(definition.field.text), .text(definition.type.rawValue))
    schema[definition.recordType] = nil
  }

  private func write(_ header: ZoneHeader) throws(StoreError) {
    try writeHeader.run(
      .text(header.zoneName.text), .integer(Int64(bitPattern: header.incarnation)), .integer(header.sequence),
      .integer(header.databaseSequence), .integer(Int64(Self.deletions.firstIndex(of: header.deletion) ?? 1)),
      .integer(Int64(header.recordCount)), .integer(Int64(header.tombstoneCount)),
      .integer(header.lastCommitAt.milliseconds), .integer(header.purges), .integer(header.horizon),
      .flag(header.isAfterLoss), .integer(header.horizonAt.milliseconds),
      .text(header.earlier.map(EndedIncarnation.text)), .integer(Int64(bitPattern: header.run)),
      .text(header.sharing?.text))
    try gaps.write(header.gaps, header.databaseGaps)
  }

  /// Commits the transaction. After an error it is still open and has to be rolled back.
  func commit() throws(StoreError) {
    try connection.commit { () throws(StoreError) in try commitTransaction.run() }
    isInTransaction = false
  }

  /// Rolls the transaction back and drops what was cached in it.
  func rollBack() {
    connection.rollBack()
    isInTransaction = false
    authors.forget()
    gaps.forget()
    schema.removeAll()
    hasTypeIndexes = false
  }
}
