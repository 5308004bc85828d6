/// Values that were made last, so that they need not be made again.
///
/// The memory is bounded: the values are in two generations, and the older one goes when the newer one is full. The
/// functions are inlinable because a generic lookup from another module takes three times as many instructions.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A value and its approximate number of bytes.
  @usableFromInline package struct Entry: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let size: Int

    @inlinable package init(_ value: Value, size: Int) { (self.value, self.size) = (value, size) }
  }

  /// The most bytes of a generation, but for its last value.
  package let limit: Int

  @usableFromInline var newer: [Key: Entry] = [:]
  @usableFromInline var older: [Key: Entry] = [:]
  @usableFromInline var size = 0

  /// An empty cache whose generations have that many bytes.
  @inlinable package init(limit: Int) { self.limit = limit }

  /// The value of that key; nil if it is not kept.
  @inlinable package subscript(key: Key) -> Value? { (newer[key] ?? older[key])?.value }

  /// Forgets the value of that key.
  @inlinable package mutating func forget(_ key: Key) {
    if let entry = newer.removeValue(forKey: key) { size -= entry.size }
    older.removeValue(forKey: key)
  }

  /// Keeps a value of approximately that many bytes. It replaces an earlier one of the same key.
  @inlinable package mutating func keep(_ value: Value, for key: Key, size bytes: Int) {
    if size >= limit { (older, newer, size) = (newer, [:], 0) }
    size += bytes - (newer.updateValue(Entry(value, size: bytes), forKey: key)?.size ?? 0)
  }
}
