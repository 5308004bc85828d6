/// Cuts what a server sends over a WebSocket into the head of its answer and frames (RFC 6455, 5.2).
struct FrameCutter: Sendable {
  /// A part that passes as a whole.
  struct Piece: Equatable, Sendable {
    /// The bytes, with the head of a frame.
    var bytes: [UInt8]
    /// Whether it begins the connection.
    var isGreeting = false
  }

  private enum State {
    case head, frames
    /// The server has refused the WebSocket. What follows is no frame.
    case refused
  }

  /// The bytes behind the last piece.
  private(set) var rest: [UInt8] = []
  private var state = State.head

  /// Bytes arrived. Returns the pieces that are complete now.
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
      guard let end = Self.endOfFrame(in: rest), rest.count >= end else { return nil }
      return Piece(bytes: take(end))
    }
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Where the first frame ends; nil if its head is incomplete.
  private static func endOfFrame(in bytes: [UInt8]) -> Int? {
    guard bytes.count >= 2 else { return nil }
    let short = Int(bytes[1] & 0x7f)
    let start = 2 + (short == 126 ? 2 : short == 127 ? 8 : 0)
    guard bytes.count >= start else { return nil }
    return start + (start == 2 ? short : bytes[2..<start].reduce(0) { $0 << 8 | Int($1) })
  }
}
