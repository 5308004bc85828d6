/// Tells which request an answer belongs to; the number is the sender's own.
package struct Ticket: Hashable, Sendable {
  /// The sender's number of the request.
  package var number: Int

  /// The ticket of that number.
  package init(_ number: Int) { self.number = number }
}
