import ZoneKitRecords

@testable import ZoneKitStorage

/// A zone file as version 0.1.0 wrote it.
enum OldZoneFile {
  /// Makes the file of a zone with two records and the references between them. `deletion` is the number with which a
  /// header says that the zone is deleted.
  static func make(_ name: Name, at path: String, deletion: Int = 0, tombstones: Int = 0) throws {
    let first = FileFormat(
      name: FileFormat.zone.name, applicationID: FileFormat.zone.applicationID,
      migrations: [FileFormat.zone.migrations[0]])
    let connection = try Connection(path, as: first, access: .create)
    try connection.execute(
      """
      BEGIN;
      INSERT INTO zone VALUES(1, '\(name)', 7, 5, 3, \(deletion), 2, \(tombstones), 1000);
      INSERT INTO authors VALUES(1, 'user', 'device');
      INSERT INTO records VALUES(4, 'parent', 'T', '{}', NULL, 1, 1, 1, 1, 0), (5, 'child', 'T', '{}', NULL, 1, 1, 1, 1, 0);
      INSERT INTO refs VALUES('child', 'second', 'parent', 'VALIDATE'), ('child', 'first', 'parent', 'DELETE_SELF');
      COMMIT
      """)
  }
}
