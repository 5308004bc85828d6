import ZoneKitWire

/// One direction of one connection over a link. It decides which of the received bytes are forwarded, and when.
///
/// Times are milliseconds of one monotonic clock. The lane does no input or output itself.
package struct LinkLane: Sendable {
  /// Something to forward.
  package enum Passage: Equatable, Sendable {
    case bytes([UInt8])
    /// The end of the stream.
    case end
  }

  /// The longest line that is waited for, in bytes; what is longer counts as a line though its end is missing.
  package static let lineLimit = 64 * 1024

  private struct Waiting {
    let due: Int64
    let passage: Passage
  }

  private let framing: LinkFraming
  private var cutter = LineCutter()
  private var frames = FrameCutter()
  private var hasGreeted = false
  /// What waits to be forwarded, in order.
  private var waiting: [Waiting] = []
  /// The due time of the last in-order entry. Nothing that follows is due earlier.
  private var lastDue: Int64 = .min
  private var waitingBytes = 0
  /// Whether the forwarded stream is incomplete: a part of it, or its end, was dropped.
  package private(set) var isBroken = false

  /// A lane for a new connection.
  package init(framing: LinkFraming) { self.framing = framing }

  /// The number of bytes that wait in the lane.
  package var heldBytes: Int { waitingBytes + cutter.rest.count + frames.rest.count }

  /// Bytes arrived. If the direction is cut, they are dropped.
  package mutating func receive(
    _ bytes: some Collection<UInt8>, under state: inout LinkState, _ way: LinkDirection, at now: Int64
  ) {
    switch framing {
    case .bytes:
      guard !state[way].isCut else { return isBroken = true }
      append(.bytes(Array(bytes)), after: state[way].delay, at: now)
    case .lines:
      cutter.append(bytes)
      while let line = cutter.next() { receive(line: Array(line), under: &state, way, at: now) }
      if cutter.rest.count >= Self.lineLimit {
        receive(line: Array(cutter.takeRest()), under: &state, way, at: now)
      }
    case .frames:
      for piece in frames.receive(bytes) { receive(piece, under: &state, way, at: now) }
    }
  }

  private mutating func receive(line: [UInt8], under state: inout LinkState, _ way: LinkDirection, at now: Int64) {
    let piece = FrameCutter.Piece(bytes: line, isGreeting: !hasGreeted)
    hasGreeted = true
    receive(piece, under: &state, way, at: now)
  }

  private mutating func receive(
    _ piece: FrameCutter.Piece, under state: inout LinkState, _ way: LinkDirection, at now: Int64
  ) {
    guard !state[way].isCut else {
      if piece.isGreeting { isBroken = true }
      return
    }
    append(.bytes(piece.bytes), after: state[way].delay, at: now)
  }

  /// The stream ended.
  package mutating func end(under conditions: LaneConditions, at now: Int64) {
    guard !conditions.isCut else { return isBroken = true }
    append(.end, after: conditions.delay, at: now)
  }

  /// Removes and returns what is forwarded next; nil if nothing is due.
  package mutating func take(under conditions: LaneConditions, at now: Int64) -> Passage? {
    guard !conditions.isClogged, let first = waiting.first, first.due <= now else { return nil }
    waiting.removeFirst()
    if case .bytes(let bytes) = first.passage { waitingBytes -= bytes.count }
    return first.passage
  }

  /// When the next entry is due; nil if that depends on anything but time.
  package func nextDeadline(under conditions: LaneConditions) -> Int64? {
    conditions.isClogged ? nil : waiting.first?.due
  }

  /// Adds an entry. A stream keeps its order, even when its delay becomes shorter.
  private mutating func append(_ passage: Passage, after delay: Int64, at now: Int64) {
    lastDue = max(lastDue, now + delay)
    if case .bytes(let bytes) = passage { waitingBytes += bytes.count }
    waiting.append(Waiting(due: lastDue, passage: passage))
  }
}
