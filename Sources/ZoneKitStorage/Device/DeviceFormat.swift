extension FileFormat {
  /// The file of a device's store. Fields are canonical JSON text, so that a database shell shows the content of a
  /// record.
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
      // The names of versions that were sent without an answer, separated by spaces.
      "ALTER TABLE records ADD COLUMN unanswered TEXT",
      // The changes that wait in a zone, in the order in which they are sent. Without this index each batch reads and
      // sorts the whole zone.
      """
      CREATE INDEX records_pending_in_zone ON records(zone, owner, revision)
        WHERE pending_since IS NOT NULL AND quarantine IS NULL
      """,
      // Without the name in it, new records go to the end of the index instead of random places.
      """
      DROP INDEX records_by_type;
      CREATE INDEX records_by_type ON records(type, zone, owner) WHERE local IS NOT NULL
      """,
      // The changes of each type that wait, in the order in which they are sent, for apps that send type by type.
      """
      CREATE INDEX records_pending_of_type ON records(type, revision)
        WHERE pending_since IS NOT NULL AND quarantine IS NULL
      """,
      // With the columns of its condition in it, so that the changes of a type are counted without their records, which
      // SQLite reads otherwise to test the condition.
      """
      DROP INDEX records_pending_of_type;
      CREATE INDEX records_pending_of_type ON records(type, revision, pending_since, quarantine)
        WHERE pending_since IS NOT NULL AND quarantine IS NULL
      """,
      // The server's content is null where it is the local one. It was stored twice, which was half of a clean record.
      """
      UPDATE records SET server = NULL, server_parent = NULL WHERE server = local AND server_parent IS local_parent
      """,
      // The change tags of confirmed changes that the feed has not shown, as a JSON array; null for none.
      "ALTER TABLE zones ADD COLUMN acknowledged TEXT",
    ],
    // Version 2 has the same tables, so the file of a stopped device can be read without an upgrade.
    oldestObservable: 2)
}
