/// The answers that faults delay.
struct DelayedReplies {
  private struct Delayed {
    let due: Int64
    let deliver: () -> Void
  }

  private var waiting: [Delayed] = []

  /// The number of answers that wait.
  var count: Int { waiting.count }

  /// When the next answer is due, in milliseconds of the loop's clock; nil if none waits.
  var nextDue: Int64? { waiting.map(\.due).min() }

  /// Adds an answer that is delivered at `due`.
  mutating func add(due: Int64, _ deliver: @escaping () -> Void) {
    waiting.append(Delayed(due: due, deliver: deliver))
  }

  /// Removes and returns the answers that are due, ordered by due time and then by arrival.
  mutating func take(at now: Int64) -> [() -> Void] {
    let due = waiting.enumerated().filter { $0.element.due <= now }
    waiting.removeAll { $0.due <= now }
    return due.sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }.map(\.element.deliver)
  }
}
