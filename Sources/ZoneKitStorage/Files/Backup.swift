import ZoneKitCSQLite
import ZoneKitRecords

/// Copies stores while they are in use.
package enum Backup {
  /// The suffixes of SQLite files.
  private static let databaseEndings = [".zone", ".sqlite"]
  /// The suffixes of temporary files that SQLite and this program keep beside a file that is in use.
  private static let passingEndings = ["-wal", "-shm", "-journal", ".new"]

  /// Copies a folder with its contents into a new one. SQLite files are copied by `copyDatabase`, other files as they
  /// are; locks, logs and sockets are left out. Throws if it holds a link, a pipe or a device. Files are copied one after
  /// another, so the copy is consistent across files only if no process writes during it. The bytes of assets are copied
  /// last, so that each record that is in the copy has its bytes. After an error the unfinished target is removed.
  package static func copyFolder(_ path: String, to target: String) throws(StoreError) {
    guard !Folder.exists(target) else { throw StoreError(.failed, "there is something of that name", place: target) }
    try Folder.make(target)
    do throws(StoreError) {
      let names = try Folder.names(in: path)
      for name in names where name != AssetFiles.folderName { try copy(name, from: path, to: target) }
      if names.contains(AssetFiles.folderName) { try copy(AssetFiles.folderName, from: path, to: target) }
      try Folder.sync(target)
    } catch {
      try Folder.remove(target)
      throw error
    }
  }

  private static func copy(_ name: String, from path: String, to target: String) throws(StoreError) {
    let source = path + "/" + name
    let kind = Folder.kind(of: source)
    guard kind != .socket, name != DirectoryLock.fileName, !passingEndings.contains(where: name.hasSuffix) else {
      return
    }
    if kind == .folder {
      try copyFolder(source, to: target + "/" + name)
    } else if databaseEndings.contains(where: name.hasSuffix) {
      try copyDatabase(source, to: target + "/" + name)
    } else {
      try Folder.copyFile(source, to: target + "/" + name)
    }
  }

  /// Copies a SQLite file in the state after some commit, even while a process has it open (SQLite: backup.html). The
  /// copy replaces a file at the target path and has no WAL.
  package static func copyDatabase(_ path: String, to target: String) throws(StoreError) {
    guard Folder.exists(path) else { throw StoreError(.failed, "there is no such file", place: path) }
    let draft = target + ".new"
    try Folder.remove(draft)
    do throws(StoreError) {
      try copyPages(path, to: draft)
      try Folder.rename(draft, to: target)
    } catch {
      try Folder.remove(draft)
      throw error
    }
  }

  private static func copyPages(_ path: String, to draft: String) throws(StoreError) {
    let place = try ConnectionSource(path: path, access: .observe)
    defer { place.remove() }
    let source = try place.open(naming: path)
    defer { sqlite3_close(source) }
    let copy = try ConnectionSource(path: draft, access: .create).open(naming: draft)
    defer { sqlite3_close(copy) }
    guard let backup = sqlite3_backup_init(copy, "main", source, "main") else {
      throw StoreError(sqlite3_errcode(copy), of: copy, path: draft)
    }
    let step = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard step == SQLITE_DONE, end == SQLITE_OK else {
      throw StoreError(end == SQLITE_OK ? step : end, of: copy, path: path, sql: "backup to \(draft)")
    }
  }
}
