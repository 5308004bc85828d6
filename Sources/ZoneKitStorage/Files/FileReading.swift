import Glibc
import ZoneKitRecords

/// An ordinary file that is read in pieces.
package final class FileReading {
  private let path: String
  private let file: Int32

  /// The file at that path; nil if there is none.
  package init?(_ path: String) throws(StoreError) {
    self.path = path
    guard let file = try Folder.open(path, O_RDONLY, doing: "opening for reading") else { return nil }
    self.file = file
  }

  deinit { close(file) }

  /// At most `count` bytes from that position on; none at the end of the file.
  package func bytes(from position: Int, count: Int) throws(StoreError) -> [UInt8] {
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let got = pread(file, buffer.baseAddress, count, off_t(position))
      if got < 0 { failure = errno }
      initialized = max(got, 0)
    }
    if let failure { throw StoreError(errno: failure, doing: "reading", place: path) }
    return bytes
  }
}
