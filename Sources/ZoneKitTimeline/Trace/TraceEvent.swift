import ZoneKitRecords

/// An event of a simulation: something at one place, or a message from one place to another.
package struct TraceEvent: Hashable, Sendable {
  /// A place in the simulation, shown as a column of a timeline.
  package enum Lane: Hashable, Sendable {
    /// The device of that number, from 0.
    case device(Int)
    case gateway
    case cloud
  }

  /// The content of an event.
  package enum Content: Hashable, Sendable {
    case mark(Mark)
    case arrow(Arrow)
  }

  /// The time of the event; for an arrow, the time at which it is sent.
  package var at: MonotonicTime
  /// The content of the event.
  package var content: Content

  /// An event at that time.
  package init(at: MonotonicTime, _ content: Content) {
    self.at = at
    self.content = content
  }
}

/// An event at one place.
package struct Mark: Hashable, Sendable {
  /// The kind of a mark.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A step of the scenario.
    case step
    /// The app wrote something.
    case edit
    /// The device merged remote versions.
    case merge
    /// Two versions of a record conflicted, and one decision was made.
    case conflict
    /// A sync started, ended or failed.
    case sync
    /// A process died.
    case crash
    /// A process started.
    case start
    /// A link changed.
    case link
    /// An app or device changed its state, for example to the background or after a restore.
    case life
    /// An account was signed in or out.
    case account
    /// A wall clock was set.
    case clock
    /// A fault was injected.
    case fault
    /// A push ended at this place.
    case push
    /// The cloud committed changes.
    case commit
    /// An expectation holds.
    case kept
    /// An expectation does not hold, or an invariant is violated.
    case broken
    /// Any other fact.
    case fact
  }

  /// The place.
  package var lane: TraceEvent.Lane
  /// The kind.
  package var kind: Kind
  /// A short description.
  package var text: String
  /// What a timeline uses besides.
  package var detail: TraceDetail

  /// A mark of that kind at that place.
  package init(_ lane: TraceEvent.Lane, _ kind: Kind, _ text: String, _ detail: TraceDetail = TraceDetail()) {
    self.lane = lane
    self.kind = kind
    self.text = text
    self.detail = detail
  }
}

/// A message between two places.
package struct Arrow: Hashable, Sendable {
  /// The kind of a message.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case request
    case answer
    /// A notice from the cloud to the gateway: something changed.
    case notice
    case push
    /// A device's hello to the gateway, or the gateway's answer to it.
    case hello
  }

  /// Whether and when a message arrives.
  package enum Fate: Hashable, Sendable {
    /// The message arrives at that time.
    case arrives(MonotonicTime)
    /// The message is lost at that time for the given reason, such as `lost` or `force-quit`.
    case dies(MonotonicTime, String)
  }

  /// The sender.
  package var from: TraceEvent.Lane
  /// The receiver.
  package var to: TraceEvent.Lane
  /// The kind.
  package var kind: Kind
  /// A short description.
  package var text: String
  /// Whether and when the message arrives.
  package var fate: Fate
  /// What a timeline uses besides.
  package var detail: TraceDetail

  /// A message from one place to another.
  package init(
    _ kind: Kind, from: TraceEvent.Lane, to: TraceEvent.Lane, _ text: String, _ fate: Fate,
    _ detail: TraceDetail = TraceDetail()
  ) {
    self.kind = kind
    self.from = from
    self.to = to
    self.text = text
    self.fate = fate
    self.detail = detail
  }
}
