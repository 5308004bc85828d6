import Glibc
import ZoneKitRecords

/// A new file that is written in pieces. It has a name of its own until it is complete and renamed.
///
/// One thread after the other uses it, and nothing else does while `finish` runs.
package final class FileDraft: @unchecked Sendable {
  /// The path of the file.
  package let path: String
  private var file: Int32?

  /// A new, empty file that replaces what is at that path.
  init(_ path: String) throws(StoreError) {
    self.path = path
    file = try Folder.create(path)
  }

  deinit { close() }

  /// Appends bytes.
  package func append(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
    guard let file else { throw StoreError(.failed, "the file is complete already", place: path) }
    try Folder.writeAll(bytes, to: file, place: path)
  }

  /// Ends the file. Its bytes are on the disk when the call returns.
  package func finish() throws(StoreError) {
    guard let file else { return }
    let isSynced = StoreTimes.sync { fsync(file) } == 0
    let code = errno
    close()
    guard isSynced else { throw StoreError(errno: code, doing: "syncing", place: path) }
    Folder.report(.syncedFile(path))
  }

  /// Removes the file. One that cannot be removed is a leftover, which the next start removes.
  package func discard() {
    close()
    try? Folder.remove(path)
  }

  private func close() {
    guard let file else { return }
    Glibc.close(file)
    self.file = nil
  }
}
