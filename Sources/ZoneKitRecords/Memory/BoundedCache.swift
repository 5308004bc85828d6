/// Values that were made last, so that they need not be made again.
///
/// The memory is bounded: the values are in two generations, and the older one goes when the newer one is full.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The most bytes of a generation, but for its last value.
  package let limit: Int

  private var newer: [Key: (value: Value, size: Int)] = [:]
  private var older: [Key: (value: Value, size: Int)] = [:]
  private var size = 0

  /// An empty cache whose generations have that many bytes.
  package init(limit: Int) { self.limit = limit }

  /// The value of that key; nil if it is not kept.
  package subscript(key: Key) -> Value? { (newer[key] ?? older[key])?.value }

  /// Keeps a value of approximately that many bytes. It replaces an earlier one of the same key.
  package mutating func keep(_ value: Value, for key: Key, size bytes: Int) {
    if size >= limit { (older, newer, size) = (newer, [:], 0) }
    size += bytes - (newer.updateValue((value, bytes), forKey: key)?.size ?? 0)
  }
}
