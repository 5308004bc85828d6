/// What an erasure takes away, or would.
package struct ErasurePlan: Hashable, Sendable {
  /// The device.
  package var device: String
  /// How many files it has.
  package var files: Int
  /// Their bytes.
  package var bytes: Int64
  /// What its store holds; nil where it cannot be read.
  package var store: DevicePlan?
}
