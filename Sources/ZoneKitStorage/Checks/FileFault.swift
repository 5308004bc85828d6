import ZoneKitRecords

/// Something wrong with a file of a data directory.
package struct FileFault: Hashable, Sendable {
  /// The path of the file.
  package let place: String
  /// What is wrong.
  package let message: String

  /// A fault of the file at that path.
  package init(_ message: String, at place: String) {
    self.place = place
    self.message = message
  }

  /// The fault of a file that could not be read.
  package init(_ error: StoreError) { self.init(error.message, at: error.place) }

  /// The fault of a file or folder that its owner may not read or write; nil if the owner may. The permissions count, not
  /// what this process could do: root reads every file.
  package init?(permissionsOf path: String) {
    guard let missing = Folder.missingPermissions(of: path) else { return nil }
    self.init("its owner lacks permissions: chmod \(missing)", at: path)
  }

  /// The fault of a file with secrets that others than its owner may read or write; nil if they may not.
  package init?(secretAt path: String) {
    guard Folder.isOpenToOthers(path) else { return nil }
    self.init("others than its owner may use it, and it holds secrets: chmod go-rwx", at: path)
  }
}
