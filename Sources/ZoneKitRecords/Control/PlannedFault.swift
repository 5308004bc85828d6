/// A fault of a plan, with its number and how often it was met.
package struct PlannedFault: Hashable, Sendable {
  /// The plan's number of the fault, never used again.
  package let id: Int
  /// The fault.
  package let fault: Fault
  /// How many requests the fault let pass first.
  package var passed = 0
  /// How many requests the fault has hit.
  package var hits = 0

  /// A fault that met no request yet.
  package init(id: Int, fault: Fault) {
    self.id = id
    self.fault = fault
  }
}
