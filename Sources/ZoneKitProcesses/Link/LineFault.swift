/// What can befall a single line of a push socket.
package enum LineFault: Hashable, Sendable {
  /// It never arrives.
  case drop
  /// It arrives twice.
  case duplicate
  /// It arrives so many milliseconds later, and may be overtaken meanwhile.
  case delay(Int64)
  /// It arrives right after the line that follows it.
  case swap
  /// It arrives with something else in it.
  case change(PushChange)
}
