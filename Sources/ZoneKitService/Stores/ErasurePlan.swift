/// What an erasure removes, or would remove.
package struct ErasurePlan: Hashable, Sendable {
  /// The device.
  package var device: String
  /// The number of its files.
  package var files: Int
  /// The size of its files in bytes.
  package var bytes: Int64
  /// The content of its store; nil if the store cannot be read.
  package var store: DevicePlan?
}
