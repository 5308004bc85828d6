/// The body of a request, received in chunks. While it is paused, the connection reads nothing, which slows the client
/// down.
package final class HTTPBodyStream {
  /// How a body ended.
  package enum End: Hashable, Sendable {
    /// The body is complete.
    case complete
    /// The body is malformed or too long, or the client closed the connection before its end.
    case brokenOff
  }

  /// Called with each chunk, in order.
  package var onPiece: (([UInt8]) -> Void)?
  /// Called once, after the last chunk.
  package var onEnd: ((End) -> Void)?
  /// Whether chunks are held back.
  private(set) var isPaused = false
  private weak var connection: HTTPServerConnection?

  init(on connection: HTTPServerConnection) { self.connection = connection }

  /// Holds chunks back until `resume`.
  package func pause() { isPaused = true }

  /// Delivers chunks again, from the next turn of the loop on.
  package func resume() {
    guard isPaused else { return }
    isPaused = false
    connection?.takeLater()
  }

  func end(_ end: End) {
    let onEnd = onEnd
    self.onEnd = nil
    onPiece = nil
    onEnd?(end)
  }
}
