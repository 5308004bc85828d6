import Glibc
import ZoneKitRecords
import ZoneKitStorage

/// A folder that goes with the last reference to it.
final class TemporaryFolder {
  let path: String

  init() throws { path = try Folder.makeTemporary() }

  /// A folder in memory, if the system has a place for that: thousands of syncs cost nothing there.
  init(inMemory name: String) throws {
    var template = Array("/dev/shm/\(name)-XXXXXX".utf8CString)
    path =
      mkdtemp(&template) == nil
      ? try Folder.makeTemporary()
      : String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    umount2(path, 0)
    // What cannot be removed lies in the system's folder for temporary files, which the system empties.
    _ = try? Folder.remove(path)
  }

  /// Puts a small file system on the folder; false where this process may not.
  func mount(options: String) -> Bool { Glibc.mount("tmpfs", path, "tmpfs", 0, options) == 0 }

  /// Makes a file or folder name of it.
  static func + (folder: TemporaryFolder, name: String) -> String { folder.path + "/" + name }

  /// Copies a folder byte by byte, WAL and all but not its index, as a crash leaves it.
  static func copyAsCrashed(_ path: String, to target: String) throws {
    try Folder.make(target)
    for name in try Folder.names(in: path) where !name.hasSuffix("-shm") {
      let source = path + "/" + name
      if Folder.isFolder(source) {
        try copyAsCrashed(source, to: target + "/" + name)
      } else {
        try Folder.copyFile(source, to: target + "/" + name)
      }
    }
  }

  /// Every file below a folder with its size, ascending by path.
  static func census(_ path: String) throws -> [String] {
    try Folder.names(in: path).flatMap { name in
      let path = path + "/" + name
      return Folder.isFolder(path) ? try census(path) : ["\(path) \(Folder.size(of: path))"]
    }
  }
}
