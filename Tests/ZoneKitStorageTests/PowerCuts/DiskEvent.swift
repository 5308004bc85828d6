/// Something that a program did to the files of a folder, in the order in which it happened.
enum DiskEvent: Sendable {
  /// A new file got that number and that path.
  case madeFile(Int, path: String)
  /// Bytes were written to a file.
  case wrote(Int, offset: Int, bytes: [UInt8])
  /// A file got that length.
  case resized(Int, size: Int)
  /// A file was synced.
  case synced(Int)
  /// A folder was made.
  case madeFolder(path: String)
  /// A file or an empty folder was removed.
  case removed(path: String)
  /// A file or folder got another path.
  case renamed(path: String, to: String)
  /// The names in a folder were synced.
  case syncedFolder(path: String)
  /// The program reported the success of everything up to the step with that number.
  case acknowledged(Int)

  /// Whether something survives a power cut from here on that might have been lost before.
  var isSync: Bool {
    switch self {
    case .synced, .syncedFolder: true
    case .madeFile, .wrote, .resized, .madeFolder, .removed, .renamed, .acknowledged: false
    }
  }
}
