/// What a timeline uses of an event besides its text. The lines of a trace and its digest do not contain it, so a run
/// without pictures does not have to write it.
package struct TraceDetail: Hashable, Sendable {
  /// The part that an event has in a story. A timeline folds events that say nothing about the records.
  package enum Role: Hashable, Sendable {
    /// The event is shown.
    case usual
    /// The event belongs to the set-up of a device: its subscription, push token, session or socket.
    case setUp
    /// The event says that nothing changed.
    case idle
    /// A step of the scenario, in that line of its file. A repeated step has the same line.
    case step(line: Int)
    /// A sync begins.
    case syncBegins
    /// A sync ends; whether it got no records.
    case syncEnds(isIdle: Bool)
  }

  /// The part in the story.
  package var role: Role
  /// More about the event: names, versions, tokens. Empty if there is no more.
  package var text: String
  /// The names of the records that the event is about.
  package var records: [String]

  /// A detail with these parts.
  package init(_ role: Role = .usual, _ text: String = "", records: [String] = []) {
    self.role = role
    self.text = text
    self.records = records
  }
}
