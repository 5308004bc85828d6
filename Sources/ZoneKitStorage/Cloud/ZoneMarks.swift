import ZoneKitRecords
import ZoneKitCloud

/// The file with the marks of all zones of the cloud, as of their last commits.
///
/// A write is not synced: it survives the end of the process, and a power cut may take it back. A mark is written after
/// the commit that it describes, so it is never ahead of a zone that lost nothing. A mark of an earlier incarnation says
/// nothing about a zone, so it is removed, and the removal synced, before the next incarnation is committed. The file
/// holds nothing else: without it, a zone is taken as its file has it.
final class ZoneMarks {
  /// The name of the file in the cloud's folder.
  static let fileName = "marks.sqlite"

  private let path: String
  private let access: Access
  private let reserve: FileReserve?
  private var file: File?

  static let format = FileFormat(
    name: "file of marks", applicationID: 0x5A_4B_4D_6B,  // "ZKMk"
    migrations: [
      """
      CREATE TABLE marks(
        folder TEXT NOT NULL, zone TEXT NOT NULL, incarnation INTEGER NOT NULL, sequence INTEGER NOT NULL,
        database_sequence INTEGER NOT NULL, deleted INTEGER NOT NULL,
        PRIMARY KEY (folder, zone)) STRICT, WITHOUT ROWID
      """,
      "ALTER TABLE marks ADD COLUMN time INTEGER NOT NULL DEFAULT 0",
    ], oldestObservable: 1)

  private struct File {
    let connection: Connection
    let find: Statement
    let save: Statement

    init(_ path: String, access: Access, reserve: FileReserve? = nil) throws(StoreError) {
      connection = try Connection(
        path, as: ZoneMarks.format, access: access, durability: .normal, reserve: reserve)
      let time = connection.version < 2 ? "0" : "time"
      find = Statement(
        "SELECT zone, incarnation, sequence, database_sequence, deleted, \(time) FROM marks WHERE folder = ?1",
        on: connection)
      save = Statement("REPLACE INTO marks VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", on: connection)
    }
  }

  /// The marks in the cloud's folder.
  init(root: String, reserve: FileReserve? = nil) {
    path = root + "/" + Self.fileName
    access = .create
    self.reserve = reserve
  }

  /// The marks in the cloud's folder, for reading only.
  init(observing root: String) {
    path = root + "/" + Self.fileName
    access = .observe
    reserve = nil
  }

  /// The marks of a database's zones. `folder` is the database's folder within that of the cloud.
  func marks(in folder: String) throws(StoreError) -> [Name: ZoneMark] {
    guard file != nil || Folder.exists(path) else { return [:] }
    var marks: [Name: ZoneMark] = [:]
    let rows = try readable().find.all(.text(folder)) { row in
      (
        Name(row.text(0)),
        ZoneMark(
          incarnation: UInt64(bitPattern: row.integer(1)), sequence: row.integer(2), databaseSequence: row.integer(3),
          isDeleted: row.flag(4), time: row.time(5))
      )
    }
    for (name, mark) in rows { marks[name] = mark }
    return marks
  }

  /// Writes marks, in one transaction.
  func write(_ marks: [(folder: String, zone: Name, mark: ZoneMark)]) throws(StoreError) {
    let file = try opened()
    try file.connection.transaction { () throws(StoreError) in
      for (folder, zone, mark) in marks {
        try file.save.run(
          .text(folder), .text(zone.text), .integer(Int64(bitPattern: mark.incarnation)), .integer(mark.sequence),
          .integer(mark.databaseSequence), .flag(mark.isDeleted), .time(mark.time))
      }
    }
  }

  /// Removes the mark of a zone. The removal survives a power cut.
  func remove(_ zone: Name, in folder: String) throws(StoreError) {
    let connection = try opened().connection
    try connection.setDurability(.full)
    try Statement("DELETE FROM marks WHERE folder = ?1 AND zone = ?2", on: connection)
      .run(.text(folder), .text(zone.text))
    try connection.setDurability(.normal)
  }

  /// What is wrong with the file.
  func faults() -> [FileFault] {
    guard Folder.exists(path) else { return [] }
    do {
      var check = FileCheck(of: try File(path, access: .observe).connection)
      check.checkIntegrity()
      return check.faults
    } catch {
      return [FileFault(error)]
    }
  }

  /// Closes the file.
  func close() { file = nil }

  /// The open file. If it cannot be opened for writing, for example on a full disk, it is read once.
  private func readable() throws(StoreError) -> File {
    do {
      return try opened()
    } catch {
      guard error.kind == .full || error.kind == .readOnly else { throw error }
      return try File(path, access: .observe)
    }
  }

  /// The file, open for writing. A file that cannot be read is replaced by an empty one.
  private func opened() throws(StoreError) -> File {
    if let file { return file }
    let opened: File
    do {
      opened = try File(path, access: access, reserve: reserve)
    } catch {
      guard error.kind == .corrupt, access == .create else { throw error }
      for ending in ["", "-wal", "-shm"] { try Folder.remove(path + ending) }
      opened = try File(path, access: access, reserve: reserve)
    }
    file = opened
    return opened
  }
}
