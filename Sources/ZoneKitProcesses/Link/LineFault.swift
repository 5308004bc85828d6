/// A fault of a single line on a push socket.
package enum LineFault: Hashable, Sendable {
  /// The line never arrives.
  case drop
  /// The line arrives twice.
  case duplicate
  /// The line arrives this many milliseconds later. Later lines may overtake it.
  case delay(Int64)
  /// The line arrives after the line that follows it.
  case swap
  /// The line arrives with changed content.
  case change(PushChange)
}
