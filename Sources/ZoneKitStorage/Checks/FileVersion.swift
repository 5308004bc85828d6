import Glibc
import ZoneKitRecords

/// The version of a SQLite file of this program, read from its header.
package struct FileVersion: Hashable, Sendable {
  /// The path of the file.
  package let path: String
  /// The name of the file's format.
  package let format: String
  /// The version of the file.
  package let version: Int32
  /// The version that this program writes.
  package let known: Int32

  private static let formats = [FileFormat.zone, .database, .accounts, .relations, .device, ZoneMarks.format]
  private static let endings = [".zone", ".sqlite"]

  /// The version of the file at that path; nil if it is no SQLite file of this program, or one that is being made.
  init?(of path: String) throws(StoreError) {
    guard let header = try Self.header(of: path), header.count == 100 else { return nil }
    func number(at place: Int) -> Int32 {
      header[place..<place + 4].reduce(0) { $0 << 8 | Int32(truncatingIfNeeded: Int($1)) }
    }
    // SQLite: fileformat2.html, 1.3. The user version is at 60, and the application ID at 68.
    guard let format = Self.formats.first(where: { $0.applicationID == number(at: 68) }) else { return nil }
    self.path = path
    self.format = format.name
    version = number(at: 60)
    known = format.version
  }

  /// The files below a folder that another version of this program wrote, in ascending order of their paths.
  package static func others(below folder: String) throws(StoreError) -> [FileVersion] {
    var found: [FileVersion] = []
    for name in try Folder.names(in: folder) {
      let path = "\(folder)/\(name)"
      if Folder.kind(of: path) == .folder {
        found += try others(below: path)
      } else if endings.contains(where: name.hasSuffix), let file = try FileVersion(of: path),
        file.version != file.known
      {
        found.append(file)
      }
    }
    return found
  }

  private static func header(of path: String) throws(StoreError) -> [UInt8]? {
    guard let file = try Folder.open(path, O_RDONLY, doing: "opening") else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw StoreError(errno: errno, doing: "reading", place: path) }
    return Array(bytes.prefix(count))
  }
}
