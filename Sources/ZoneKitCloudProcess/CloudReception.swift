import ZoneKitCloud

/// What happened to a message on its arrival.
package struct CloudReception: Equatable, Sendable {
  /// The ticket of the reply. A message that faults carry out twice is answered once, under this ticket.
  package var ticket: Ticket
  /// The reply, if it needs no commit; nil if it comes with an effect of the turn.
  package var reply: CloudReply?
  /// What the driver does before the message goes on. Each has a ticket of its own.
  package var preparations: [CloudPreparation] = []
  /// How much of the turn the message takes.
  package var cost = TurnCost()
  /// The IDs of the faults that hit the message, in the plan's order.
  package var faults: [Int] = []
}
