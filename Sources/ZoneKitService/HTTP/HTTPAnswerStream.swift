import ZoneKitWire

/// An answer whose body is sent in chunks. The chunks of one turn are sent in one write, after the answers to earlier
/// requests.
///
/// Chunks are never refused. For back-pressure a sender checks `isFull` after each chunk and continues when `onReady`
/// is called.
package final class HTTPAnswerStream {
  /// How the body ended.
  enum End {
    case complete
    /// The connection is closed within the body, so that the client notices that the body is incomplete.
    case brokenOff
  }

  /// Called when there is room again after a chunk filled the stream.
  package var onReady: (() -> Void)?
  /// Called once when the client has ended its side. A client that still reads gets what is sent.
  package var onPeerEnd: (() -> Void)?
  /// Called once if the connection is closed before the end of the body.
  package var onClose: (() -> Void)?

  /// The head of the answer.
  let head: HTTPReply
  /// The number of bytes of the body, which are sent without chunks; nil if that is not known.
  let length: Int?
  /// Whether the head is written, which happens after the answers to all earlier requests.
  private(set) var hasStarted = false
  /// How the body ended; nil until then.
  private(set) var end: End?
  private var pieces: [[UInt8]] = []
  private var waitsForRoom = false
  private weak var connection: HTTPServerConnection?

  init(_ head: HTTPReply, length: Int?, on connection: HTTPServerConnection) {
    self.head = head
    self.length = length
    self.connection = connection
  }

  /// The number of bytes that may wait to be sent before the stream is full.
  package var limit = HTTPServerConnection.backlogLimit

  /// Whether more bytes wait to be sent than `limit`.
  package var isFull: Bool {
    let waiting = pieces.reduce(0) { $0 + $1.count } + (hasStarted ? connection?.unsentBytes ?? 0 : 0)
    return waiting > limit
  }

  /// Sends a chunk. Ignored after the end.
  package func send(_ piece: [UInt8]) {
    guard end == nil else { return }
    pieces.append(piece)
    connection?.answered()
    waitsForRoom = isFull
  }

  /// Ends the body. The connection accepts further requests.
  package func finish() { finish(.complete) }

  /// Closes the connection within the body.
  package func breakOff() { finish(.brokenOff) }

  private func finish(_ end: End) {
    guard self.end == nil else { return }
    self.end = end
    release()
    connection?.answered()
  }

  /// Removes and returns the chunks that are not written yet. From the first call on, the connection's unsent bytes
  /// count as those of this stream.
  func takePieces() -> [[UInt8]] {
    hasStarted = true
    let taken = pieces
    pieces = []
    return taken
  }

  /// Whether the sender was stopped by a full stream that has room again.
  var canGoOn: Bool { waitsForRoom && !isFull }

  /// Calls `onReady` if the sender was stopped and there is room.
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

  /// The connection was closed.
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
