import ZoneKitRecords

@testable import ZoneKitStorage

/// A SQLite file as an owner leaves it that was killed while it made the file.
enum HalfMadeFile: CaseIterable {
  /// Its name is there, and nothing in it.
  case empty
  /// The first page and the rollback journal that takes it back are there: the switch to WAL was under way.
  case withJournal
  /// The same, and of the first page only a part was written: the power was cut.
  case tornWithJournal
  /// It is in WAL mode, and the tables are not there yet.
  case withoutTables

  /// Puts such a file there, in the place of what has the name.
  func make(at path: String) throws {
    try Folder.remove(path)
    guard self != .empty else { return try Folder.write([], to: path) }
    let bare = FileFormat(name: "bare file", applicationID: 0, migrations: [])
    _ = try Connection(path, as: bare, access: .create)
    guard self != .withoutTables else { return }
    try Folder.write(Self.journal, to: path + "-journal")
    guard self == .tornWithJournal, let page = try Folder.read(path) else { return }
    try Folder.write(page.prefix(50) + Array(repeating: 0, count: page.count - 50), to: path)
  }

  /// The header of a journal of no pages, for a file that had no pages before (SQLite: fileformat2.html, 3).
  private static var journal: [UInt8] {
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let (pages, nonce, pagesBefore) = ([0, 0, 0, 0], [0, 0, 0, 7], [0, 0, 0, 0]) as ([UInt8], [UInt8], [UInt8])
    let (sectorSize, pageSize) = ([0, 0, 2, 0], [0, 0, 16, 0]) as ([UInt8], [UInt8])
    let header = magic + pages + nonce + pagesBefore + sectorSize + pageSize
    return header + Array(repeating: 0, count: 512 - header.count)
  }
}
