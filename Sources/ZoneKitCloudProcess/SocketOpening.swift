import ZoneKitRecords

/// What a client gets that asks for a realtime socket.
package enum SocketOpening: Equatable, Sendable {
  /// Open the socket after that time.
  case open(afterMilliseconds: Int64)
  /// Refuse it with that answer after that time; nil closes the connection without an answer.
  case refuse(ServiceRefusal?, afterMilliseconds: Int64)
}
