import ZoneKitRecords

/// The newest facts of a process, in a list of bounded length. Readers keep their own position and read at their own pace;
/// one that falls behind by more than the list holds misses facts and learns how many.
package struct FactRing<Payload> {
  /// A fact with its number, counted from 1.
  package struct Entry {
    /// The fact's number.
    package let number: UInt64
    /// When it was recorded.
    package let at: WallTime
    /// The fact.
    package let payload: Payload
  }

  /// What a reader gets: the facts that it has not read, oldest first, and how many before them are gone.
  package struct Reading {
    /// The facts.
    package let entries: [Entry]
    /// How many facts the reader missed.
    package let missed: UInt64
  }

  /// How many facts are kept.
  package let capacity: Int
  /// How many facts were recorded: the number of the newest.
  package private(set) var recorded: UInt64 = 0
  /// At most `capacity` entries; the fact of number n is at (n - 1) % capacity.
  private var entries: [Entry] = []

  /// An empty list that keeps that many facts.
  package init(capacity: Int) {
    precondition(capacity > 0, "a ring keeps at least one fact")
    self.capacity = capacity
  }

  /// Records a fact; the oldest one goes where the list is full.
  package mutating func record(_ payload: Payload, at time: WallTime) {
    recorded += 1
    let entry = Entry(number: recorded, at: time, payload: payload)
    if entries.count < capacity {
      entries.append(entry)
    } else {
      entries[Int((recorded - 1) % UInt64(capacity))] = entry
    }
  }

  /// The facts behind that number. A number from the future reads nothing.
  package func read(after number: UInt64) -> Reading {
    guard number < recorded else { return Reading(entries: [], missed: 0) }
    let oldest = recorded - UInt64(entries.count) + 1
    let first = max(number + 1, oldest)
    return Reading(
      entries: (first...recorded).map { entries[Int(($0 - 1) % UInt64(capacity))] }, missed: first - number - 1)
  }
}
