extension FileFormat {
  /// All that a device knows. Fields are canonical JSON text, so that a database shell shows what is in a record.
  static let device = FileFormat(
    name: "device file", applicationID: 0x5A_4B_44_76,  // "ZKDv"
    migrations: [
      """
      CREATE TABLE state(key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE zones(
        zone TEXT NOT NULL, owner TEXT NOT NULL, token TEXT, token_at INTEGER, stale INTEGER NOT NULL,
        sweep INTEGER NOT NULL, sweeping INTEGER NOT NULL, PRIMARY KEY (zone, owner)) STRICT, WITHOUT ROWID;
      CREATE TABLE records(
        zone TEXT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
        local TEXT, local_parent TEXT, server TEXT, server_parent TEXT, server_tag TEXT,
        server_modified_at INTEGER, server_modified_by TEXT, server_modified_on TEXT,
        revision INTEGER NOT NULL, pending_since INTEGER, sent TEXT, sent_parent TEXT,
        sent_deleted INTEGER NOT NULL, quarantine TEXT, sweep INTEGER NOT NULL,
        PRIMARY KEY (zone, owner, name)) STRICT;
      CREATE INDEX records_by_type ON records(type, zone, owner, name) WHERE local IS NOT NULL;
      CREATE INDEX records_pending ON records(revision) WHERE pending_since IS NOT NULL;
      CREATE INDEX records_quarantined ON records(zone, owner, name) WHERE quarantine IS NOT NULL;
      CREATE TABLE notifications(
        position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, received_at INTEGER NOT NULL) STRICT;
      CREATE TABLE conflicts(
        position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, zone TEXT NOT NULL, owner TEXT NOT NULL,
        name TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, winner TEXT NOT NULL, rule TEXT NOT NULL,
        local TEXT, local_parent TEXT, server TEXT, server_parent TEXT, server_device TEXT,
        decided_by TEXT NOT NULL) STRICT;
      CREATE TABLE traces(
        position INTEGER PRIMARY KEY, zone TEXT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL, tag TEXT NOT NULL,
        device TEXT NOT NULL, committed_at INTEGER NOT NULL, notified_at INTEGER, received_at INTEGER,
        fetched_at INTEGER NOT NULL, merged_at INTEGER NOT NULL) STRICT
      """,
      // The names of versions that were sent earlier without an answer, with a space between.
      "ALTER TABLE records ADD COLUMN unanswered TEXT",
      // What waits in one zone, in the order in which it is sent: without it each batch reads and sorts the whole zone.
      """
      CREATE INDEX records_pending_in_zone ON records(zone, owner, revision)
        WHERE pending_since IS NOT NULL AND quarantine IS NULL
      """,
      // Without the name, so that new records go to the end of the index instead of to random places of it.
      """
      DROP INDEX records_by_type;
      CREATE INDEX records_by_type ON records(type, zone, owner) WHERE local IS NOT NULL
      """,
    ],
    // Version 2 holds the same tables, so that a look at a stopped device's file needs no upgrade of it.
    oldestObservable: 2)
}
