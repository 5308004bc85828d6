/// What befalls the next lines: faults are used up one line each, in the order in which they were asked for.
package struct LineFaults: Equatable, Sendable {
  private struct Entry: Equatable {
    let fault: LineFault
    /// For how many lines; nil until the faults are cleared.
    var remaining: Int?
  }

  private var entries: [Entry] = []

  /// No faults.
  package init() {}

  /// Whether every line passes unharmed.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a fault for so many of the next lines behind those already asked for; nil is for all lines from then on.
  package mutating func add(_ fault: LineFault, lines: Int? = 1) {
    guard lines != 0 else { return }
    entries.append(Entry(fault: fault, remaining: lines))
  }

  /// The fault of the line that comes now; nil lets it pass.
  package mutating func next() -> LineFault? {
    guard let first = entries.first else { return nil }
    switch first.remaining {
    case nil: break
    case let rest? where rest > 1: entries[0].remaining = rest - 1
    case _?: entries.removeFirst()
    }
    return first.fault
  }

  /// Lets all lines pass from now on.
  package mutating func clear() { entries = [] }
}
