import ZoneKitRecords

/// The order of work that takes long: hashes of passwords, and long readings. Those who ask for it take turns, so that one who
/// asks for much at once delays the others by one piece of it.
package struct FairQueue: Sendable {
  private var waiting: [Name: [Ticket]] = [:]
  /// Those who wait, in the order of their turns.
  private var turns: [Name] = []

  /// A queue without work.
  package init() {}

  /// Adds work for somebody.
  package mutating func add(_ ticket: Ticket, of name: Name) {
    if waiting[name] == nil { turns.append(name) }
    waiting[name, default: []].append(ticket)
  }

  /// Takes the work whose turn it is; nil if none waits.
  package mutating func next() -> Ticket? {
    guard !turns.isEmpty else { return nil }
    let name = turns.removeFirst()
    guard var tickets = waiting.removeValue(forKey: name), !tickets.isEmpty else { return nil }
    let ticket = tickets.removeFirst()
    if !tickets.isEmpty {
      waiting[name] = tickets
      turns.append(name)
    }
    return ticket
  }
}
