import Glibc
import ZoneKitThreads
import ZoneKitRecords

/// Operations on folders and files. Changes are on the disk when a call returns.
package enum Folder {
  /// What is called after each change.
  ///
  /// It is a struct, because the compiler would wrap a function in another one each time that a generic type such as
  /// `Lock` is asked for it, and calls would become deeper without an end.
  package struct Observer: Sendable {
    let changed: @Sendable (FolderChange) -> Void

    /// An observer that calls this after each change.
    package init(changed: @escaping @Sendable (FolderChange) -> Void) { self.changed = changed }
  }

  /// Called after each change, for tests that cut the power; nil for none.
  package static let observer = Lock<Observer?>(nil)

  /// Reports a change to the observer.
  static func report(_ change: FolderChange) { observer.withLock { $0 }?.changed(change) }

  /// What is at that path; nil for nothing, or if it cannot be looked at.
  package static func kind(of path: String) -> FileKind? {
    var status = stat()
    return lstat(path, &status) == 0 ? FileKind(mode: status.st_mode) : nil
  }

  /// Whether there is something at that path. What cannot be looked at, because a folder above it gives no permission,
  /// counts as there: what is done with it then fails, and nobody takes it for missing. So does a link that leads nowhere.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 || errno != ENOENT && errno != ENOTDIR
  }

  /// Whether there is nothing at that path, or an ordinary file without content.
  package static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR }
    return FileKind(mode: status.st_mode) == .file && status.st_size == 0
  }

  /// Whether there is a folder at that path.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there is a file at that path, or a link to one, that holds bytes: not a folder, a socket or the like.
  package static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// What the owner of a file or folder lacks to use it, for `chmod`; nil if nothing, or if there is none at that path.
  package static func missingPermissions(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let needed = status.st_mode & S_IFMT == S_IFDIR ? S_IRWXU : S_IRUSR | S_IWUSR
    let missing = needed & ~status.st_mode
    let letters = [(S_IRUSR, "r"), (S_IWUSR, "w"), (S_IXUSR, "x")].filter { missing & $0.0 != 0 }.map(\.1).joined()
    return letters.isEmpty ? nil : "u+\(letters)"
  }

  /// Whether others than the owner of a file or folder have any permission.
  package static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & (S_IRWXG | S_IRWXO) != 0
  }

  /// The size of a file in bytes; 0 if there is none.
  package static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// The size of a file and the time of its last change; nil if there is none. A link is not followed.
  package static func status(of path: String) throws(StoreError) -> (size: Int64, modifiedAt: WallTime)? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return nil }
      throw StoreError(errno: errno, doing: "reading the size", place: path)
    }
    let milliseconds = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    return (Int64(status.st_size), WallTime(milliseconds: milliseconds))
  }

  /// The names in a folder, in ascending byte order, without `.` and `..`; empty if there is no such folder.
  package static func names(in path: String) throws(StoreError) -> [String] {
    guard let folder = opendir(path) else {
      guard errno != ENOENT else { return [] }
      throw StoreError(errno: errno, doing: "listing the folder", place: path)
    }
    defer { closedir(folder) }
    var names: [Name] = []
    while let entry = readdir(folder) {
      // `d_name` is a fixed-size array in C and a tuple in Swift. The system terminates it with NUL.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(Name(name)) }
    }
    return names.sorted().map(\.text)
  }

  /// Makes a folder and its parents, if they are missing. Only their owner may use them.
  package static func make(_ path: String) throws(StoreError) {
    guard !exists(path) else { return }
    let parent = parent(of: path)
    if parent != path { try make(parent) }
    if mkdir(path, 0o700) == 0 {
      report(.made(path))
    } else if errno != EEXIST {
      throw StoreError(errno: errno, doing: "making the folder", place: path)
    }
    try sync(parent)
  }

  /// Makes the folder's list of names survive a power cut (fsync(2): syncing a file does not sync its name).
  package static func sync(_ path: String) throws(StoreError) {
    let file = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError(errno: errno, doing: "opening the folder", place: path) }
    defer { close(file) }
    guard StoreTimes.sync({ fsync(file) }) == 0 else {
      throw StoreError(errno: errno, doing: "syncing the folder", place: path)
    }
    report(.synced(path))
  }

  /// Removes a file, or a folder with its contents; does nothing if there is none. Symbolic links are not followed.
  package static func remove(_ path: String) throws(StoreError) {
    if unlink(path) == 0 {
      report(.removed(path))
      return
    }
    guard errno != ENOENT else { return }
    guard errno == EISDIR || errno == EPERM else { throw StoreError(errno: errno, doing: "removing", place: path) }
    for name in try names(in: path) { try remove(path + "/" + name) }
    guard rmdir(path) == 0 else { throw StoreError(errno: errno, doing: "removing the folder", place: path) }
    report(.removed(path))
  }

  /// Renames a file or folder, and replaces what is at the target path.
  package static func rename(_ path: String, to target: String) throws(StoreError) {
    guard Glibc.rename(path, target) == 0 else {
      throw StoreError(errno: errno, doing: "renaming to \(target)", place: path)
    }
    report(.renamed(path, to: target))
    try sync(parent(of: target))
  }

  /// Makes a new temporary folder, in `TMPDIR` or `/tmp`.
  package static func makeTemporary() throws(StoreError) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/zonekit-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(errno: errno, doing: "making a temporary folder; TMPDIR may name another place", place: parent)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder of the path's last component.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
