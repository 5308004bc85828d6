/// Splits a stream of bytes into lines without changing a byte: a line includes its line feed, and empty lines count.
package struct LineFramer: Sendable {
  /// The length in bytes at which an unfinished line is passed on as if it were complete.
  package static let limit = 64 * 1024

  private var rest: [UInt8] = []

  /// A framer at the start of a stream.
  package init() {}

  /// The number of bytes of the unfinished line.
  package var count: Int { rest.count }

  /// Takes in bytes and returns the lines that are now complete.
  package mutating func receive(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      rest.append(byte)
      guard byte == 0x0A || rest.count >= Self.limit else { continue }
      lines.append(rest)
      rest = []
    }
    return lines
  }
}
