/// The body of a request, piece by piece. While it is paused the connection reads nothing, so the client feels it.
package final class HTTPBodyStream {
  /// How a body ended.
  package enum End: Hashable, Sendable {
    /// All of it came.
    case complete
    /// It is malformed or too long, or the client went before its end.
    case brokenOff
  }

  /// Called with each piece, in order.
  package var onPiece: (([UInt8]) -> Void)?
  /// Called once, behind the last piece.
  package var onEnd: ((End) -> Void)?
  /// Whether pieces are held back.
  private(set) var isPaused = false
  private weak var connection: HTTPServerConnection?

  init(on connection: HTTPServerConnection) { self.connection = connection }

  /// Holds pieces back until `resume`.
  package func pause() { isPaused = true }

  /// Lets pieces come again, from the loop's next turn on.
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
