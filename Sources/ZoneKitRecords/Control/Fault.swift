/// A fault to inject: an action, the requests to which it applies, and how often.
package struct Fault: Hashable, Sendable {
  /// The name of the fault in summaries.
  package var name: String
  /// The requests to which the fault applies.
  package var scope: FaultScope
  /// How many of these requests pass before the first one is hit.
  package var after: Int
  /// The most requests that are hit; nil for no limit.
  package var times: Int?
  /// How many of 1,000 requests are hit, at random; from 1 to 1000.
  package var perMille: Int
  /// What happens to a request that is hit.
  package var action: FaultAction

  /// A fault; by default it hits every request in its scope.
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
