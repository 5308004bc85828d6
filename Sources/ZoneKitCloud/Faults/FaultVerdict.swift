/// The decision about a request: whether faults hit it, and which ones.
package enum FaultVerdict: Hashable, Sendable {
  /// No fault hits the request.
  case pass
  /// Faults hit the request.
  case faulty(FaultyExchange)
}
