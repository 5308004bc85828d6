import ZoneKitRecords
import ZoneKitCloud

/// The order in which passwords are hashed, which takes long on purpose. Those who try take turns, so that one who tries
/// many passwords at once delays the others by one of them.
package struct PasswordQueue: Sendable {
  private var waiting: [Name: [Ticket]] = [:]
  /// Those who wait, in the order of their turns.
  private var turns: [Name] = []

  /// A queue without passwords.
  package init() {}

  /// Adds a password of somebody who tries.
  package mutating func add(_ ticket: Ticket, of name: Name) {
    if waiting[name] == nil { turns.append(name) }
    waiting[name, default: []].append(ticket)
  }

  /// Takes the password whose turn it is; nil if none waits.
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
