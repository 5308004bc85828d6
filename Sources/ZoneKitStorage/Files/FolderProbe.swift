import Glibc
import ZoneKitRecords

/// Finds out whether a folder can be written.
package enum FolderProbe {
  /// The name of the file that is written and removed.
  private static let name = "health.probe"
  /// The number of bytes that are written: a page of a zone file.
  private static let size = 4_096

  /// Writes and syncs a file in that folder and removes it, as a commit writes its pages. Returns why that cannot be done;
  /// nil if it can.
  package static func problem(in folder: String) -> StoreError? {
    let path = "\(folder)/\(name)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return StoreError(errno: errno, doing: "making a file", place: path) }
    let problem = write(to: file, path)
    close(file)
    unlink(path)
    return problem
  }

  private static func write(to file: Int32, _ path: String) -> StoreError? {
    let bytes = [UInt8](repeating: 0x20, count: size)
    var written = 0
    while written < size {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, size - written) }
      guard count > 0 else { return StoreError(errno: errno, doing: "writing", place: path) }
      written += count
    }
    guard StoreTimes.sync({ fdatasync(file) }) == 0 else {
      return StoreError(errno: errno, doing: "syncing", place: path)
    }
    return nil
  }
}
