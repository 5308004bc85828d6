import Glibc
import ZoneKitRecords

/// How long a disk takes to sync a file, measured with a file of its own.
package struct SyncProbe: Hashable, Sendable {
  /// The time of one write of 4096 bytes with `fdatasync`, in microseconds: the middle one of those measured.
  package let microseconds: Int64

  private static let tries = 21

  /// Measures the disk of that folder, which must exist. Nothing remains there.
  package init(of folder: String) throws(StoreError) {
    let path = "\(folder)/.probe-\(getpid())"
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, doing: "making a file", place: path) }
    defer {
      close(file)
      unlink(path)
    }
    microseconds = try Self.middleTime(of: file, place: path)
  }

  private static func middleTime(of file: Int32, place: String) throws(StoreError) -> Int64 {
    let block = [UInt8](repeating: 0x5A, count: 4_096)
    let clock = ContinuousClock()
    var times: [Int64] = []
    for index in 0..<tries {
      let start = clock.now
      guard pwrite(file, block, block.count, off_t(index * block.count)) == block.count, fdatasync(file) == 0 else {
        throw StoreError(errno: errno, doing: "writing with fdatasync", place: place)
      }
      times.append((clock.now - start).components.attoseconds / 1_000_000_000_000)
    }
    return times.sorted()[tries / 2]
  }
}
