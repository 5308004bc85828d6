/// What is to be done with a request.
package enum FaultVerdict: Hashable, Sendable {
  /// As always.
  case pass
  /// As the exchange says.
  case faulty(FaultyExchange)
}
