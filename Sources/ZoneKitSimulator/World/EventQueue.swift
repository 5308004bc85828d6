import ZoneKitRecords

/// What is going to happen in a world, by time; what is due at the same time happens in the order in which it was put in.
struct EventQueue<Work> {
  private struct Entry {
    var at: MonotonicTime
    var sequence: UInt64
    var work: Work

    func isBefore(_ other: Entry) -> Bool { (at.milliseconds, sequence) < (other.at.milliseconds, other.sequence) }
  }

  /// A binary heap: an entry stands before those at twice its place and one, and two, behind it.
  private var heap: [Entry] = []
  private var sequence: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }

  /// When the next thing happens; nil where nothing does.
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

  /// Takes the next thing out, if it is due by then.
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
