/// A change that `Folder` made, for tests that cut the power.
package enum FolderChange: Sendable {
  /// A folder was made.
  case made(String)
  /// The names in a folder were synced.
  case synced(String)
  /// A file or an empty folder was removed.
  case removed(String)
  /// A file or folder was renamed.
  case renamed(String, to: String)
  /// A file got that content.
  case wrote(String, [UInt8])
  /// The content of a file was synced.
  case syncedFile(String)

  /// The path of the file or folder.
  package var path: String {
    switch self {
    case .made(let path), .synced(let path), .removed(let path), .renamed(let path, _), .wrote(let path, _),
      .syncedFile(let path):
      path
    }
  }
}
