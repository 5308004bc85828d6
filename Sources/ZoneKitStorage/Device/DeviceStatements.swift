/// The prepared statements of a device's file.
struct DeviceStatements {
  let values: Statement
  let setValue: Statement
  let removeValue: Statement
  let zones: Statement
  let putZone: Statement
  let removeZone: Statement
  let removeRecordsOfZone: Statement
  let record: Statement
  let contains: Statement
  let recordsOfType: Statement
  let recordsMetBefore: Statement
  let synced: Statement
  let unsynced: Statement
  let pending: Statement
  let pendingInZone: Statement
  let pendingOfType: Statement
  let quarantined: Statement
  let putRecord: Statement
  let removeRecord: Statement
  let counts: Statement
  let pendingCount: Statement
  let waitingCounts: Statement
  let quarantinedCount: Statement
  let isKnown: Statement
  let insertNotification: Statement
  let trimNotifications: Statement
  let forgetNotifications: Statement
  let conflicts: Statement
  let insertConflict: Statement
  let trimConflicts: Statement
  let traces: Statement
  let insertTrace: Statement
  let trimTraces: Statement

  private static let recordColumns = """
    zone, owner, name, type, local, local_parent, server, server_parent, server_tag, server_modified_at,
    server_modified_by, server_modified_on, revision, pending_since, sent, sent_parent, sent_deleted, quarantine, sweep,
    unanswered
    """
  private static let conflictColumns = """
    id, zone, owner, name, type, at, winner, rule, local, local_parent, server, server_parent, server_device, decided_by
    """
  private static let traceColumns = """
    zone, owner, name, tag, device, committed_at, notified_at, received_at, fetched_at, merged_at
    """

  private static let zoneColumns = "zone, owner, token, token_at, stale, sweep, sweeping"
  /// An observed file of an earlier version has no column `acknowledged`. Then the name means that of the second table.
  private static let selectZones = """
    SELECT \(zoneColumns),
      (SELECT acknowledged FROM zones AS same WHERE same.zone = zones.zone AND same.owner = zones.owner)
    FROM zones, (SELECT NULL AS acknowledged) ORDER BY zone, owner
    """

  /// The condition that the device shows a record as it got it.
  private static let isSynced =
    "local IS NOT NULL AND server IS NULL AND server_tag IS NOT NULL AND pending_since IS NULL AND quarantine IS NULL"

  /// An update in place keeps the row where it is. `REPLACE` would move the row and all its index entries.
  private static let replacingRecord = {
    let key = ["zone", "owner", "name"]
    let changed = recordColumns.split { $0 == "," || $0 == " " || $0 == "\n" }.map(String.init)
      .filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return "ON CONFLICT(\(key.joined(separator: ", "))) DO UPDATE SET \(changed)"
  }()

  /// The statements on that connection.
  init(on connection: Connection) {
    func statement(_ sql: String) -> Statement { Statement(sql, on: connection) }
    func records(_ condition: String) -> Statement {
      statement("SELECT \(Self.recordColumns) FROM records \(condition)")
    }
    func insert(_ table: String, _ columns: String, verb: String = "INSERT", end: String = "") -> Statement {
      let places = (1...columns.split(separator: ",").count).map { "?\($0)" }.joined(separator: ", ")
      return statement("\(verb) INTO \(table)(\(columns)) VALUES(\(places)) \(end)")
    }
    func trim(_ table: String) -> Statement {
      statement(
        """
        DELETE FROM \(table) WHERE position <= (SELECT position FROM \(table) ORDER BY position DESC LIMIT 1 OFFSET ?1)
        """)
    }
    values = statement("SELECT key, value FROM state")
    setValue = insert("state", "key, value", verb: "REPLACE")
    removeValue = statement("DELETE FROM state WHERE key = ?1")
    zones = statement(Self.selectZones)
    putZone = insert("zones", Self.zoneColumns + ", acknowledged", verb: "REPLACE")
    removeZone = statement("DELETE FROM zones WHERE zone = ?1 AND owner = ?2")
    removeRecordsOfZone = statement("DELETE FROM records WHERE zone = ?1 AND owner = ?2")
    record = records("WHERE zone = ?1 AND owner = ?2 AND name = ?3")
    contains = statement("SELECT 1 FROM records WHERE zone = ?1 AND owner = ?2 AND name = ?3")
    recordsOfType = records("WHERE type = ?1 AND local IS NOT NULL ORDER BY zone, owner, name")
    recordsMetBefore = records("WHERE zone = ?1 AND owner = ?2 AND sweep < ?3 ORDER BY name")
    synced = statement(
      "SELECT name, server_tag, server_modified_at FROM records WHERE zone = ?1 AND owner = ?2 AND \(Self.isSynced)")
    unsynced = records("WHERE zone = ?1 AND owner = ?2 AND NOT (\(Self.isSynced)) ORDER BY name")
    let isWaiting = "pending_since IS NOT NULL AND quarantine IS NULL"
    let isPending = "\(isWaiting) AND revision > ?1"
    pending = records("WHERE \(isPending) ORDER BY revision LIMIT ?2")
    pendingInZone = records("WHERE \(isPending) AND zone = ?3 AND owner = ?4 ORDER BY revision LIMIT ?2")
    pendingOfType = records("WHERE \(isPending) AND type = ?3 ORDER BY revision LIMIT ?2")
    quarantined = records("WHERE quarantine IS NOT NULL ORDER BY zone, owner, name LIMIT ?1")
    putRecord = insert("records", Self.recordColumns, end: Self.replacingRecord)
    removeRecord = statement("DELETE FROM records WHERE zone = ?1 AND owner = ?2 AND name = ?3")
    counts = statement(
      """
      SELECT zone, owner, type, count(*) FROM records WHERE local IS NOT NULL GROUP BY zone, owner, type
      ORDER BY zone, owner, type
      """)
    pendingCount = statement("SELECT count(*), min(pending_since) FROM records WHERE pending_since IS NOT NULL")
    waitingCounts = statement("SELECT type, count(*) FROM records WHERE \(isWaiting) GROUP BY type ORDER BY type")
    quarantinedCount = statement("SELECT count(*) FROM records WHERE quarantine IS NOT NULL")
    isKnown = statement("SELECT 1 FROM notifications WHERE id = ?1")
    insertNotification = insert("notifications", "id, received_at", end: "ON CONFLICT(id) DO NOTHING")
    trimNotifications = trim("notifications")
    forgetNotifications = statement("DELETE FROM notifications WHERE received_at < ?1")
    conflicts = statement("SELECT \(Self.conflictColumns) FROM conflicts ORDER BY position DESC LIMIT ?1")
    insertConflict = insert("conflicts", Self.conflictColumns, end: "ON CONFLICT(id) DO NOTHING")
    trimConflicts = trim("conflicts")
    traces = statement("SELECT \(Self.traceColumns) FROM traces ORDER BY position DESC LIMIT ?1")
    insertTrace = insert("traces", Self.traceColumns)
    trimTraces = trim("traces")
  }
}
