/// The file of a zone and what was found there.
struct ZonePlace {
  /// The path.
  let path: String
  /// The file; nil if there is none.
  let file: FileIdentity?
  /// Its WAL; nil if there is none.
  let wal: FileIdentity?

  /// What is at that path now.
  init(_ path: String) {
    self.path = path
    file = FileIdentity(path)
    wal = FileIdentity(path + "-wal")
  }

  /// Whether the same file is still there.
  var isUnchanged: Bool { file != nil && FileIdentity(path) == file }
}
