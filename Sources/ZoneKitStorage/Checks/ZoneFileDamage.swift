import Glibc
import ZoneKitCloud
import ZoneKitRecords

/// Damages and replaces the file of a zone on purpose, to test what becomes visible of it. The steps are those that
/// disks and administrators do.
package struct ZoneFileDamage {
  private let path: String
  private var copy: String { path + ".copy" }

  /// The file of a zone of that database, in a cloud with that folder.
  package init(of zone: Name, in database: DatabaseID, root: String) {
    path = CloudPaths(root: root).file(of: ZoneKey(database: database, zoneName: zone))
  }

  /// Changes a stored record so that it does not match its checksum.
  package func damage(_ record: Name) throws(StoreError) {
    let file = try ZoneFile(path, of: nil, access: .existing, durability: .full, checkpointPages: 0)
    let flip = Statement("UPDATE records SET created_at = created_at + 1 WHERE name = ?1", on: file.connection)
    guard try file.record(record) != nil else {
      throw StoreError(.failed, "the zone has no record \(record)", place: path)
    }
    try flip.run(.text(record.text))
  }

  /// Keeps a copy beside the file.
  package func backUp() throws(StoreError) { try Backup.copyDatabase(path, to: copy) }

  /// Puts the copy in the place of the file. If no server is running, what SQLite keeps beside the file is removed first.
  package func restore(isInUse: Bool) throws(StoreError) {
    guard Folder.exists(copy) else { throw StoreError(.failed, "the zone was not backed up", place: path) }
    let draft = copy + ".new"
    try Folder.copyFile(copy, to: draft)
    if !isInUse { for ending in ["-wal", "-shm"] { try Folder.remove(path + ending) } }
    try Folder.rename(draft, to: path)
  }

  /// Cuts the file's WAL within the first of its last commits, so that SQLite drops them. No process has the file open.
  package func tearOff(commits count: Int) throws(StoreError) {
    let wal = path + "-wal"
    let content = try Folder.read(wal) ?? []
    let ends = Self.commitEnds(in: content)
    guard ends.count >= count else {
      throw StoreError(.failed, "the WAL holds \(ends.count.counted("commit"))", place: wal)
    }
    let kept = ends.count == count ? Self.headerSize : ends[ends.count - count - 1]
    // Half a frame is what a torn write leaves.
    guard truncate(wal, kept + Self.frameHeaderSize) == 0 else {
      throw StoreError(errno: errno, doing: "truncating", place: wal)
    }
    try Folder.remove(path + "-shm")
  }

  /// SQLite: fileformat2.html, 4.1 and 4.2.
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// The positions in a WAL at which commits end.
  private static func commitEnds(in wal: [UInt8]) -> [Int] {
    guard wal.count >= headerSize else { return [] }
    let frame = frameHeaderSize + Int(number(in: wal, at: 8))
    var ends: [Int] = []
    var position = headerSize
    // Frames of an earlier use of the file have other salts.
    while position + frame <= wal.count, wal[16..<24] == wal[position + 8..<position + 16] {
      if number(in: wal, at: position + 4) != 0 { ends.append(position + frame) }
      position += frame
    }
    return ends
  }

  private static func number(in bytes: [UInt8], at position: Int) -> UInt32 {
    bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
