/// The app's rule for two versions of one record that were made independently.
///
/// The rule must be a total order on content: the result must not depend on which device decides and which version is
/// the local one. It may use only the conflict: no clock, no state, no ID of the device.
public struct MergePolicy: Sendable {
  /// Decides a conflict.
  public let resolve: @Sendable (Conflict) -> Resolution

  /// A policy with that rule.
  public init(_ resolve: @escaping @Sendable (Conflict) -> Resolution) { self.resolve = resolve }
}
