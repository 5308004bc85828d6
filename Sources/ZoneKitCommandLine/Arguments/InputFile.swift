import Glibc
import ZoneKitRecords
import ZoneKitStorage

/// Reads files that are named on the command line.
enum InputFile {
  /// The mark with which some editors begin a text in UTF-8.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The bytes of a text file without a byte order mark; of standard input for `-`. A missing file is an input error.
  static func read(_ path: String) throws(ExitFailure) -> [UInt8] {
    do throws(StoreError) {
      let bytes = try path == "-" ? readStandardInput() : Folder.readNamed(path)
      guard let bytes else { throw StoreError(.failed, "there is no such file", place: path) }
      return bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
    } catch {
      throw .input("\(error.place): \(error.message)")
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
