/// The app's rule for two versions of one record that were made apart.
///
/// The rule must be a total order on content: whichever device asks, and whichever version is the local one, the same
/// content must come out. It may look at nothing but the conflict: no clock, no state, no identity of the device.
public struct MergePolicy: Sendable {
  /// Decides a conflict.
  public let resolve: @Sendable (Conflict) -> Resolution

  /// The policy that decides by that rule.
  public init(_ resolve: @escaping @Sendable (Conflict) -> Resolution) { self.resolve = resolve }
}
