extension FileFormat {
  /// The file of one zone. `seq`, the rowid, is the order of the feed: saving a record moves its row to the end.
  static let zone = FileFormat(
    name: "zone file", applicationID: 0x5A_4B_5A_6E,  // "ZKZn"
    migrations: [
      """
      CREATE TABLE zone(
        id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, incarnation INTEGER NOT NULL,
        sequence INTEGER NOT NULL, database_sequence INTEGER NOT NULL, deleted INTEGER NOT NULL,
        record_count INTEGER NOT NULL, tombstone_count INTEGER NOT NULL, last_commit_at INTEGER NOT NULL) STRICT;
      CREATE TABLE records(
        seq INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, type TEXT NOT NULL, fields TEXT NOT NULL, parent TEXT,
        created_at INTEGER NOT NULL, created_by INTEGER NOT NULL, modified_at INTEGER NOT NULL,
        modified_by INTEGER NOT NULL, deleted INTEGER NOT NULL) STRICT;
      CREATE TABLE authors(
        id INTEGER PRIMARY KEY, user TEXT NOT NULL, device TEXT NOT NULL, UNIQUE (user, device)) STRICT;
      CREATE TABLE refs(
        source TEXT NOT NULL, field TEXT NOT NULL, target TEXT NOT NULL, action TEXT NOT NULL,
        PRIMARY KEY (source, field, target, action)) STRICT, WITHOUT ROWID;
      CREATE INDEX refs_by_target ON refs(target, source, field);
      CREATE TABLE schema(
        type TEXT NOT NULL, field TEXT NOT NULL, field_type TEXT NOT NULL,
        PRIMARY KEY (type, field)) STRICT, WITHOUT ROWID
      """,
      // How often old tombstones were purged, and the highest sequence among them.
      """
      ALTER TABLE zone ADD COLUMN purges INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE zone ADD COLUMN horizon INTEGER NOT NULL DEFAULT 0
      """,
      // References by the sequence of the record that holds them. Those of new records go to the end of the table and of
      // its index; by record name they went to random places, and a commit of 200 records changed 400 pages more.
      """
      ALTER TABLE refs RENAME TO refs_by_name;
      DROP INDEX refs_by_target;
      CREATE TABLE refs(
        seq INTEGER NOT NULL, field TEXT NOT NULL, target TEXT NOT NULL, action TEXT NOT NULL,
        PRIMARY KEY (seq, field, target, action)) STRICT, WITHOUT ROWID;
      CREATE INDEX refs_by_target ON refs(target, seq);
      INSERT INTO refs SELECT seq, field, target, action FROM refs_by_name JOIN records ON name = source ORDER BY seq;
      DROP TABLE refs_by_name
      """,
      // A checksum of each record, which older records lack, and whether the zone lost commits before its incarnation.
      """
      ALTER TABLE records ADD COLUMN checksum INTEGER;
      ALTER TABLE zone ADD COLUMN after_loss INTEGER NOT NULL DEFAULT 0
      """,
      // The newest time of a purged tombstone.
      "ALTER TABLE zone ADD COLUMN horizon_at INTEGER NOT NULL DEFAULT 0",
      // The number of saves of each record. Earlier saves were not counted.
      "ALTER TABLE records ADD COLUMN version INTEGER NOT NULL DEFAULT 1",
      // The earlier incarnations of the zone and how they ended, which older zones did not record.
      "ALTER TABLE zone ADD COLUMN earlier TEXT",
      FileOrigin.table,
      // The last run of the server, and what runs skipped: sequences of the zone with the times around them, and sequences
      // of its database.
      """
      ALTER TABLE zone ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE gaps(
        start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, time INTEGER NOT NULL, end_time INTEGER NOT NULL) STRICT;
      CREATE TABLE database_gaps(start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL) STRICT
      """,
      // The shares in the zone.
      "ALTER TABLE zone ADD COLUMN sharing TEXT",
    ], oldestObservable: 1, originSince: 8)

  /// The file of what a database holds besides its zones. `zones` lists the zone files, so that added and removed ones
  /// are noticed.
  static let database = FileFormat(
    name: "database file", applicationID: 0x5A_4B_44_62,  // "ZKDb"
    migrations: [
      """
      CREATE TABLE database(id INTEGER PRIMARY KEY CHECK (id = 1), identity INTEGER NOT NULL) STRICT;
      CREATE TABLE zones(name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      CREATE TABLE subscriptions(
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, zone TEXT, owner TEXT, fires_once INTEGER NOT NULL,
        notifies INTEGER NOT NULL, alert_body TEXT, alert_key TEXT, alert_action_key TEXT, launch_image TEXT,
        sound TEXT, category TEXT, badge INTEGER NOT NULL, content_available INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE alert_arguments(
        subscription TEXT NOT NULL, position INTEGER NOT NULL, argument TEXT NOT NULL,
        PRIMARY KEY (subscription, position)) STRICT, WITHOUT ROWID;
      CREATE TABLE registrations(
        token TEXT PRIMARY KEY, environment TEXT NOT NULL, device TEXT) STRICT, WITHOUT ROWID
      """,
      FileOrigin.table,
      // Query subscriptions, and the account of each subscription of a public database, whose IDs are those of its account.
      """
      ALTER TABLE subscriptions RENAME TO subscriptions_by_id;
      ALTER TABLE alert_arguments RENAME TO arguments_by_id;
      CREATE TABLE subscriptions(
        id TEXT NOT NULL, user TEXT NOT NULL, kind TEXT NOT NULL, zone TEXT, owner TEXT, query TEXT, fires_on TEXT,
        fires_once INTEGER NOT NULL, notifies INTEGER NOT NULL, alert_body TEXT, alert_key TEXT, alert_action_key TEXT,
        launch_image TEXT, sound TEXT, category TEXT, badge INTEGER NOT NULL, content_available INTEGER NOT NULL,
        more TEXT, PRIMARY KEY (id, user)) STRICT, WITHOUT ROWID;
      CREATE TABLE alert_arguments(
        subscription TEXT NOT NULL, user TEXT NOT NULL, position INTEGER NOT NULL, argument TEXT NOT NULL,
        PRIMARY KEY (subscription, user, position)) STRICT, WITHOUT ROWID;
      INSERT INTO subscriptions
        SELECT id, '', kind, zone, owner, NULL, NULL, fires_once, notifies, alert_body, alert_key, alert_action_key,
        launch_image, sound, category, badge, content_available, NULL FROM subscriptions_by_id;
      INSERT INTO alert_arguments SELECT subscription, '', position, argument FROM arguments_by_id;
      DROP TABLE subscriptions_by_id;
      DROP TABLE arguments_by_id
      """,
    ], oldestObservable: 1, originSince: 2)
}
