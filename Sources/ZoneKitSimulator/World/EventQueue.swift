import ZoneKitRecords

/// The events that are due in a simulation, ordered by time. Events at the same time keep the order in which they were
/// added.
struct EventQueue<Work> {
  private struct Entry {
    var at: MonotonicTime
    var sequence: UInt64
    /// The place of the event in `works`.
    var place: Int

    func isBefore(_ other: Entry) -> Bool { (at.milliseconds, sequence) < (other.at.milliseconds, other.sequence) }
  }

  /// A binary heap: an entry is less than those at twice its index plus one and plus two.
  private var heap: [Entry] = []
  /// The events. They stay in their places while the small entries of the heap move; a free place has none.
  private var works: [Work?] = []
  private var freePlaces: [Int] = []
  private var sequence: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }

  /// The time of the next event; nil if there is none.
  var next: MonotonicTime? { heap.first?.at }

  mutating func add(_ work: Work, at time: MonotonicTime) {
    sequence += 1
    heap.append(Entry(at: time, sequence: sequence, place: keep(work)))
    var index = heap.count - 1
    while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes and returns the next event if it is due by that time.
  mutating func take(by time: MonotonicTime) -> (at: MonotonicTime, work: Work)? {
    guard let first = heap.first, first.at <= time, let work = works[first.place].take() else { return nil }
    freePlaces.append(first.place)
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.at, work)
  }

  /// Stores an event. Returns its place.
  private mutating func keep(_ work: Work) -> Int {
    guard let place = freePlaces.popLast() else {
      works.append(work)
      return works.count - 1
    }
    works[place] = work
    return place
  }

  private mutating func sink() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
