import Glibc
import ZoneKitRecords
import ZoneKitStorage

/// Reads files that are named on the command line.
enum InputFile {
  /// The bytes of a file; of standard input for `-`. A missing file is a usage error.
  static func read(_ path: String) throws(ExitFailure) -> [UInt8] {
    do throws(StoreError) {
      guard path != "-" else { return try readStandardInput() }
      guard let bytes = try Folder.readNamed(path) else {
        throw StoreError(.failed, "there is no such file", place: path)
      }
      return bytes
    } catch {
      throw .usage("\(error.place): \(error.message)")
    }
  }

  private static func readStandardInput() throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(.failed, String(cString: strerror(errno)), place: "standard input") }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
