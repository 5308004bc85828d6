/// Answers that faults hold back.
struct DelayedReplies {
  private struct Delayed {
    let due: Int64
    let deliver: () -> Void
  }

  private var waiting: [Delayed] = []

  /// When the next answer is due, in the loop's milliseconds; nil where none waits.
  var nextDue: Int64? { waiting.map(\.due).min() }

  /// Holds an answer back until `due`.
  mutating func add(due: Int64, _ deliver: @escaping () -> Void) {
    waiting.append(Delayed(due: due, deliver: deliver))
  }

  /// Hands out what is due, by time, and at the same time in the order in which it came.
  mutating func take(at now: Int64) -> [() -> Void] {
    let due = waiting.enumerated().filter { $0.element.due <= now }
    waiting.removeAll { $0.due <= now }
    return due.sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }.map(\.element.deliver)
  }
}
