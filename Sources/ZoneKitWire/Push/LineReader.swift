/// Reads the lines of a stream of bytes. A line ends with a line feed. A carriage return before it belongs to the end. Empty
/// lines are left out.
///
/// It keeps at most `limit` bytes of an unfinished line, and the bytes of the last call.
package struct LineReader: Sendable {
  /// The most bytes of a line of the push socket, without its end.
  package static let pushSocketLimit = 8192

  private let limit: Int
  private var cutter = LineCutter()
  private var isBroken = false

  /// A reader of lines of at most `limit` bytes.
  package init(limit: Int = LineReader.pushSocketLimit) {
    precondition(limit > 0, "a line has room for at least one byte")
    self.limit = limit
  }

  /// Whether a line has begun and its end is missing.
  package var isWithinLine: Bool { !isBroken && !cutter.rest.isEmpty }

  /// Adds bytes. After a line that was too long they are ignored.
  package mutating func append(_ more: some Collection<UInt8>) {
    if !isBroken { cutter.append(more) }
  }

  /// The next complete line without its end; nil if more bytes are needed. For a line over the limit it throws, now and
  /// at every further call, because what follows cannot be trusted.
  package mutating func next() throws(PushLineError) -> ArraySlice<UInt8>? {
    while !isBroken {
      let line = cutter.next()
      // A last byte that may be the carriage return of the line's end does not count yet.
      let content = Self.withoutReturn(line?.dropLast() ?? cutter.rest)
      guard content.count <= limit else { break }
      guard line != nil else { return nil }
      if !content.isEmpty { return content }
    }
    isBroken = true
    cutter = LineCutter()
    throw PushLineError("expected a line of at most \(limit) bytes, found a longer one")
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == 0x0D ? line.dropLast() : line
  }
}
