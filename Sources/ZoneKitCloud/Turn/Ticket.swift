/// Identifies the request of an answer. The sender chooses the number.
package struct Ticket: Hashable, Sendable {
  /// The sender's number.
  package var number: Int

  /// The ticket of that number.
  package init(_ number: Int) { self.number = number }
}
