/// A fault to inject: what happens, to which requests, and how often.
package struct Fault: Hashable, Sendable {
  /// What summaries call the fault.
  package var name: String
  /// The requests that it is about.
  package var scope: FaultScope
  /// How many of these pass before the first one is hit.
  package var after: Int
  /// How many are hit at most; nil until the fault is removed.
  package var times: Int?
  /// How many of a thousand are hit, drawn at random: 1 ... 1000.
  package var perMille: Int
  /// What happens to a request that is hit.
  package var action: FaultAction

  /// A fault that hits every request of the scope unless said otherwise.
  package init(
    _ action: FaultAction, on scope: FaultScope = FaultScope(), name: String = "", after: Int = 0, times: Int? = nil,
    perMille: Int = 1000
  ) {
    self.action = action
    self.scope = scope
    self.name = name
    self.after = after
    self.times = times
    self.perMille = perMille
  }
}
