/// Why a connection or an input is closed.
package enum CloseReason: Equatable, Sendable {
  /// This side asked for it.
  case closedHere
  /// The other side ended its stream and nothing here wished to go on.
  case endedByPeer
  /// The system refused to go on; the error says with what.
  case failed(LoopError)
}
