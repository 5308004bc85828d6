/// The faults of the next pushes to a device. Each push uses one up, in the order in which they were added.
package struct PushFaultQueue: Hashable, Sendable {
  private struct Entry: Hashable {
    let fault: PushFault
    var count: FaultCount
  }

  private var entries: [Entry] = []

  /// No faults.
  package init() {}

  /// Whether the next push passes unharmed.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a fault for so many pushes, behind the pushes that have one already.
  package mutating func add(_ fault: PushFault, _ count: FaultCount) {
    if case .next(..<1) = count { return }
    entries.append(Entry(fault: fault, count: count))
  }

  /// The fault of the push that comes now; nil lets it pass.
  package mutating func next() -> PushFault? {
    guard let first = entries.first else { return nil }
    switch first.count {
    case .every: break
    case .next(let count) where count > 1: entries[0].count = .next(count - 1)
    case .next: entries.removeFirst()
    }
    return first.fault
  }

  /// Lets all pushes pass from now on.
  package mutating func removeAll() { entries = [] }
}
