/// Whether faults hit a request, and which ones.
package enum FaultVerdict: Hashable, Sendable {
  /// As always.
  case pass
  /// As the exchange says.
  case faulty(FaultyExchange)
}
