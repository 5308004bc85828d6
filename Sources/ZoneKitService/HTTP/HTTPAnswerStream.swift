import ZoneKitWire

/// An answer whose body is sent piece by piece. Pieces of one turn leave in one write, behind the answers to earlier requests.
///
/// Nothing is refused: a sender looks at `isFull` after it sent, and goes on when `onReady` is called.
package final class HTTPAnswerStream {
  /// How a body ended.
  enum End {
    case complete
    /// The connection ends in the middle of the body, so the client sees that something is missing.
    case brokenOff
  }

  /// Called when there is room again after a piece had made the stream full.
  package var onReady: (() -> Void)?
  /// Called once when the client has ended its side. What is sent still reaches a client that goes on reading.
  package var onPeerEnd: (() -> Void)?
  /// Called once when the connection is gone before the end of the body.
  package var onClose: (() -> Void)?

  /// What stands before the body.
  let head: HTTPReply
  /// Whether the head is written: the answers to all earlier requests are.
  private(set) var hasStarted = false
  /// How the body ended; nil while it goes on.
  private(set) var end: End?
  private var pieces: [[UInt8]] = []
  private var waitsForRoom = false
  private weak var connection: HTTPServerConnection?

  init(_ head: HTTPReply, on connection: HTTPServerConnection) {
    self.head = head
    self.connection = connection
  }

  /// Whether the client is behind: more bytes wait to be sent than `HTTPServerConnection.backlogLimit`.
  package var isFull: Bool {
    let waiting = pieces.reduce(0) { $0 + $1.count } + (hasStarted ? connection?.unsentBytes ?? 0 : 0)
    return waiting > HTTPServerConnection.backlogLimit
  }

  /// Sends a piece; after the end it is dropped.
  package func send(_ piece: [UInt8]) {
    guard end == nil else { return }
    pieces.append(piece)
    connection?.answered()
    waitsForRoom = isFull
  }

  /// Ends the body. The connection takes further requests.
  package func finish() { finish(.complete) }

  /// Ends the connection in the middle of the body.
  package func breakOff() { finish(.brokenOff) }

  private func finish(_ end: End) {
    guard self.end == nil else { return }
    self.end = end
    release()
    connection?.answered()
  }

  /// Hands out the pieces that have not been written. From here on the connection's unsent bytes count as this body's.
  func takePieces() -> [[UInt8]] {
    hasStarted = true
    let taken = pieces
    pieces = []
    return taken
  }

  /// Whether the sender waits for room that there is now.
  var canGoOn: Bool { waitsForRoom && !isFull }

  /// Lets the sender go on where there is room.
  func goOn() {
    guard canGoOn else { return }
    waitsForRoom = false
    onReady?()
  }

  /// The client ended its side.
  func peerEnded() {
    let onPeerEnd = onPeerEnd
    self.onPeerEnd = nil
    onPeerEnd?()
  }

  /// The connection is gone.
  func close() {
    guard end == nil else { return }
    end = .brokenOff
    let onClose = onClose
    release()
    onClose?()
  }

  private func release() {
    onReady = nil
    onPeerEnd = nil
    onClose = nil
  }
}
