/// Cuts a stream of bytes into lines, however it arrives: a line ends with a line feed, a carriage return before that
/// belongs to the end, and empty lines are left out.
///
/// It holds at most `limit` bytes of an unfinished line, and never more than what was handed in at once beyond that.
package struct LineReader: Sendable {
  /// The most bytes that a line of the push socket may have, its end left out.
  package static let pushSocketLimit = 8192

  private let limit: Int
  private var bytes: [UInt8] = []
  /// Where the line being read starts.
  private var start = 0
  /// Up to where there is known to be no line feed.
  private var scanned = 0
  private var isBroken = false

  /// A reader of lines of at most that many bytes.
  package init(limit: Int = LineReader.pushSocketLimit) {
    precondition(limit > 0, "a line has room for at least one byte")
    self.limit = limit
  }

  /// Takes in bytes. After a line that was too long they are dropped.
  package mutating func append(_ more: some Collection<UInt8>) {
    guard !isBroken else { return }
    if start > 0 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next whole line without its end; nil until more bytes come. A line over the limit is an error, now and at every
  /// further call, for what follows it cannot be trusted.
  package mutating func next() throws(PushLineError) -> ArraySlice<UInt8>? {
    while !isBroken {
      let end = bytes[scanned...].firstIndex(of: 0x0A)
      scanned = end ?? bytes.count
      let line = withoutReturn(bytes[start..<scanned])
      // A last byte that may turn out to be the line's carriage return does not count yet.
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
