import Glibc
import ZoneKitRecords

/// Makes a file readable whose first page is damaged. The page holds the header of the file and where the tables begin,
/// which is the same in every file that the migrations of a format made.
enum FirstPage {
  /// The size of a page: that of SQLite's own default, which no format changes.
  static let size = 4096

  /// Calls `read` with the path of a copy of a file that has the first page of a new file, unless the file is shorter
  /// than a page. `make` makes a new file of the format.
  static func replace(
    of path: String, like make: (String) throws(StoreError) -> Void, read: (String) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard Folder.isFile(path), Folder.size(of: path) >= Int64(size) else { return }
    let folder = try Folder.makeTemporary()
    defer { try? Folder.remove(folder) }
    try make(folder + "/template")
    guard var page = try Folder.read(folder + "/template")?.prefix(size), page.count == size else { return }
    // The number of pages of the file, which SQLite believes (SQLite: fileformat2.html, 1.3.7).
    let pages = UInt32(clamping: Folder.size(of: path) / Int64(size))
    for index in 0..<4 { page[28 + index] = UInt8(truncatingIfNeeded: pages >> (24 - 8 * UInt32(index))) }
    let copy = folder + "/copy"
    for ending in ["", "-wal"] where Folder.exists(path + ending) {
      try Folder.copyFile(path + ending, to: copy + ending, isPassing: true)
    }
    let file = open(copy, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError(errno: errno, doing: "opening for writing", place: copy) }
    defer { close(file) }
    try Folder.writeAll(page, to: file, place: copy)
    try read(copy)
  }
}
