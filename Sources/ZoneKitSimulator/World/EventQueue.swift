import ZoneKitRecords

/// The events that are due in a simulation, ordered by time. Events at the same time keep the order in which they were
/// added.
struct EventQueue<Work> {
  private struct Entry {
    var at: MonotonicTime
    var sequence: UInt64
    var work: Work

    func isBefore(_ other: Entry) -> Bool { (at.milliseconds, sequence) < (other.at.milliseconds, other.sequence) }
  }

  /// A binary heap: an entry is less than those at twice its index plus one and plus two.
  private var heap: [Entry] = []
  private var sequence: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }

  /// The time of the next event; nil if there is none.
  var next: MonotonicTime? { heap.first?.at }

  mutating func add(_ work: Work, at time: MonotonicTime) {
    sequence += 1
    heap.append(Entry(at: time, sequence: sequence, work: work))
    var place = heap.count - 1
    while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes and returns the next event if it is due by that time.
  mutating func take(by time: MonotonicTime) -> (at: MonotonicTime, work: Work)? {
    guard let first = heap.first, first.at <= time else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.at, first.work)
  }

  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
