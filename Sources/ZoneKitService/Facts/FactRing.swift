import ZoneKitRecords

/// The newest facts of a process, in a ring of fixed capacity. Each reader keeps its own position. A reader that falls
/// behind by more than the capacity misses facts and gets their number.
package struct FactRing<Payload> {
  /// A fact with its sequence number.
  package struct Entry {
    /// The sequence number, from 1.
    package let number: UInt64
    /// The time at which it was recorded.
    package let at: WallTime
    /// The fact.
    package let payload: Payload
  }

  /// The result of a read: the facts after the reader's position, oldest first.
  package struct Reading {
    /// The facts.
    package let entries: [Entry]
    /// The number of facts that the reader missed, because they are no longer kept.
    package let missed: UInt64
  }

  /// The number of facts that are kept.
  package let capacity: Int
  /// The number of facts recorded so far, which is the sequence number of the newest.
  package private(set) var recorded: UInt64 = 0
  /// At most `capacity` entries. The fact with number n is at (n - 1) % capacity.
  private var entries: [Entry] = []

  /// An empty ring for that many facts.
  package init(capacity: Int) {
    precondition(capacity > 0, "a ring keeps at least one fact")
    self.capacity = capacity
  }

  /// Records a fact. Drops the oldest one if the ring is full.
  package mutating func record(_ payload: Payload, at time: WallTime) {
    recorded += 1
    let entry = Entry(number: recorded, at: time, payload: payload)
    if entries.count < capacity {
      entries.append(entry)
    } else {
      entries[Int((recorded - 1) % UInt64(capacity))] = entry
    }
  }

  /// The facts after that number, at most `limit` of them; none if the number is in the future.
  package func read(after number: UInt64, limit: Int = .max) -> Reading {
    guard number < recorded else { return Reading(entries: [], missed: 0) }
    let oldest = recorded - UInt64(entries.count) + 1
    let first = max(number + 1, oldest)
    let last = recorded - first < UInt64(limit) ? recorded : first + UInt64(limit) - 1
    return Reading(
      entries: (first...last).map { entries[Int(($0 - 1) % UInt64(capacity))] }, missed: first - number - 1)
  }
}
