/// The faults of the next lines. Each line uses up one fault, in the order in which the faults were added.
package struct LineFaults: Equatable, Sendable {
  private struct Entry: Equatable {
    let fault: LineFault
    /// The number of lines; nil means all lines until the faults are cleared.
    var remaining: Int?
  }

  private var entries: [Entry] = []

  /// No faults.
  package init() {}

  /// Whether all lines pass unchanged.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a fault for `lines` further lines, after the lines that already have a fault; for all following lines if nil.
  package mutating func add(_ fault: LineFault, lines: Int? = 1) {
    guard lines != 0 else { return }
    entries.append(Entry(fault: fault, remaining: lines))
  }

  /// Uses up and returns the fault of the next line; nil if the line passes unchanged.
  package mutating func next() -> LineFault? {
    guard let first = entries.first else { return nil }
    switch first.remaining {
    case nil: break
    case let rest? where rest > 1: entries[0].remaining = rest - 1
    case _?: entries.removeFirst()
    }
    return first.fault
  }

  /// Lets all following lines pass unchanged.
  package mutating func clear() { entries = [] }
}
