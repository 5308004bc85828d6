/// Why a connection or an input is closed.
package enum CloseReason: Equatable, Sendable {
  /// This side closed the connection.
  case closedHere
  /// The other side ended its stream, and this side had nothing more to send.
  case endedByPeer
  /// A system call failed; the error says which.
  case failed(LoopError)
}
