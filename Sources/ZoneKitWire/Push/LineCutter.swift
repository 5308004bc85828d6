/// Splits a stream of bytes into lines, independent of how they are split into reads, and changes no byte.
package struct LineCutter: Sendable {
  private var bytes: [UInt8] = []
  /// The start of the line that is being read.
  private var start = 0
  /// The position before which there is no line feed in the unfinished line.
  private var scanned = 0

  /// A cutter without bytes.
  package init() {}

  /// The unfinished line.
  package var rest: ArraySlice<UInt8> { bytes[start...] }

  /// Adds bytes.
  package mutating func append(_ more: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next complete line with its line feed; nil if more bytes are needed.
  package mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[scanned...].firstIndex(of: 0x0A) else {
      scanned = bytes.count
      return nil
    }
    let line = bytes[start...end]
    start = end + 1
    scanned = start
    return line
  }

  /// Takes the unfinished line out.
  package mutating func takeRest() -> ArraySlice<UInt8> {
    let line = rest
    start = bytes.count
    scanned = start
    return line
  }
}
