/// A fault in a plan, with its ID and its counts.
package struct PlannedFault: Hashable, Sendable {
  /// The fault's ID, unique in the plan.
  package let id: Int
  /// The fault.
  package let fault: Fault
  /// The number of requests and pushes that the fault let pass first.
  package var passed = 0
  /// The number of requests and pushes that the fault has hit.
  package var hits = 0

  /// A fault without any requests so far.
  package init(id: Int, fault: Fault) {
    self.id = id
    self.fault = fault
  }
}
