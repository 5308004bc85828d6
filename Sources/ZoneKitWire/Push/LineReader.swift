/// Splits a stream of bytes into lines, independent of how they are split into reads. A line ends with a line feed. A
/// carriage return before it belongs to the end. Empty lines are left out.
///
/// It keeps at most `limit` bytes of an unfinished line, and the bytes of the last call.
package struct LineReader: Sendable {
  /// The most bytes of a line of the push socket, without its end.
  package static let pushSocketLimit = 8192

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The start of the line that is being read.
  private var start = 0
  /// The position before which there is no line feed in the unfinished line.
  private var scanned = 0
  private var isBroken = false

  /// A reader of lines of at most `limit` bytes.
  package init(limit: Int = LineReader.pushSocketLimit) {
    precondition(limit > 0, "a line has room for at least one byte")
    self.limit = limit
  }

  /// Adds bytes. After a line that was too long they are ignored.
  package mutating func append(_ more: some Collection<UInt8>) {
    guard !isBroken else { return }
    if start > 0 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next complete line without its end; nil if more bytes are needed. For a line over the limit it throws, now and
  /// at every further call, because what follows cannot be trusted.
  package mutating func next() throws(PushLineError) -> ArraySlice<UInt8>? {
    while !isBroken {
      let end = bytes[scanned...].firstIndex(of: 0x0A)
      scanned = end ?? bytes.count
      let line = withoutReturn(bytes[start..<scanned])
      // A last byte that may be the carriage return of the line's end does not count yet.
      guard line.count <= limit else { break }
      guard let end else { return nil }
      start = end + 1
      scanned = start
      if !line.isEmpty { return line }
    }
    isBroken = true
    bytes = []
    throw PushLineError("expected a line of at most \(limit) bytes, found a longer one")
  }

  private func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == 0x0D ? line.dropLast() : line
  }
}
