import ZoneKitWire

/// Cuts what a server sends over a WebSocket into the head of its answer and frames (RFC 6455, 5.2).
struct FrameCutter: Sendable {
  /// A part that passes as a whole.
  struct Piece: Equatable, Sendable {
    /// The bytes, with the head of a frame.
    var bytes: [UInt8]
    /// Whether it begins the connection.
    var isGreeting = false
    /// Whether it is the event of a change.
    var isEvent = false
  }

  private enum State {
    case head, frames
    /// The server has refused the WebSocket. What follows is no frame.
    case refused
  }

  /// The bytes behind the last piece.
  private(set) var rest: [UInt8] = []
  private var state = State.head

  /// Takes in bytes and returns the pieces that are complete now.
  mutating func receive(_ bytes: some Collection<UInt8>) -> [Piece] {
    rest += bytes
    var pieces: [Piece] = []
    while let piece = next() { pieces.append(piece) }
    return pieces
  }

  private mutating func next() -> Piece? {
    switch state {
    case .head:
      guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
      state = rest.starts(with: "HTTP/1.1 101 ".utf8) ? .frames : .refused
      return Piece(bytes: take(end), isGreeting: true)
    case .refused: return rest.isEmpty ? nil : Piece(bytes: take(rest.count))
    case .frames:
      guard let frame = Self.frame(in: rest), rest.count >= frame.end else { return nil }
      let isEvent = frame.isText && Self.isEvent(Array(rest[frame.start..<frame.end]))
      return Piece(bytes: take(frame.end), isEvent: isEvent)
    }
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Where the payload of the first frame starts and ends, and whether it is a whole text; nil if the head is incomplete.
  private static func frame(in bytes: [UInt8]) -> (start: Int, end: Int, isText: Bool)? {
    guard bytes.count >= 2 else { return nil }
    let (isText, short) = (bytes[0] == 0x81, Int(bytes[1] & 0x7f))
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    let start = 2 + extra
    guard bytes.count >= start else { return nil }
    let length = extra == 0 ? short : bytes[2..<start].reduce(0) { $0 << 8 | Int($1) }
    return (start, start + length, isText)
  }

  private static func isEvent(_ text: [UInt8]) -> Bool {
    [.first, .second].contains { ChannelFrameCodec($0).frame(of: text)?.event == "postgres_changes" }
  }
}
