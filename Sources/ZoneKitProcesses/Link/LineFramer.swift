/// Cuts a stream of bytes into lines without changing a byte: lines keep their ends, and empty lines count.
package struct LineFramer: Sendable {
  /// The longest line that is waited for, in bytes; what is longer counts as a line though its end is missing.
  package static let limit = 64 * 1024

  private var rest: [UInt8] = []

  /// A framer that has seen nothing.
  package init() {}

  /// How many bytes of an unfinished line are kept.
  package var count: Int { rest.count }

  /// Takes bytes in and gives the lines that are whole now.
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
