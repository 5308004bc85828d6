import ZoneKitRecords

/// One line of what happened in a world: something at one place, or something on its way from one place to another.
package struct TraceEvent: Hashable, Sendable {
  /// A place in a world: a column of a timeline.
  package enum Lane: Hashable, Sendable {
    /// The device of that number, from 0.
    case device(Int)
    case gateway
    case cloud
  }

  /// What happened.
  package enum Content: Hashable, Sendable {
    case mark(Mark)
    case arrow(Arrow)
  }

  /// When it happened; for an arrow, when it was sent.
  package var at: MonotonicTime
  /// What happened.
  package var content: Content

  /// Something that happened then.
  package init(at: MonotonicTime, _ content: Content) {
    self.at = at
    self.content = content
  }
}

/// Something that happened at one place.
package struct Mark: Hashable, Sendable {
  /// What sort of thing it is.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A step of the scenario.
    case step
    /// The app wrote something.
    case edit
    /// The device took versions of others in.
    case merge
    /// Two versions met and one decision was made.
    case conflict
    /// A sync started, ended or failed.
    case sync
    /// A process died.
    case crash
    /// A process started.
    case start
    /// A link changed.
    case link
    /// A device was put aside, taken up, shut off or restored.
    case life
    /// Somebody signed in or out.
    case account
    /// A wall clock was set.
    case clock
    /// A fault took place.
    case fault
    /// A push came to its end at that place.
    case push
    /// The cloud took changes in.
    case commit
    /// Something that had to hold does.
    case kept
    /// Something that had to hold does not: the moment of divergence.
    case broken
    /// Any other fact.
    case fact
  }

  /// Where.
  package var lane: TraceEvent.Lane
  /// What sort of thing.
  package var kind: Kind
  /// A few words.
  package var text: String

  /// Something of that kind at that place.
  package init(_ lane: TraceEvent.Lane, _ kind: Kind, _ text: String) {
    self.lane = lane
    self.kind = kind
    self.text = text
  }
}

/// Something on its way.
package struct Arrow: Hashable, Sendable {
  /// What is on its way.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case request
    case answer
    /// A notice of the cloud to the gateway: something changed.
    case notice
    case push
    /// A device's hello to the gateway, or the gateway's answer.
    case hello
  }

  /// Whether and when something arrives.
  package enum Fate: Hashable, Sendable {
    /// It arrives then.
    case arrives(MonotonicTime)
    /// It never arrives, for that reason, such as `lost` or `force-quit`.
    case dies(MonotonicTime, String)
  }

  /// From where.
  package var from: TraceEvent.Lane
  /// Where to.
  package var to: TraceEvent.Lane
  /// What it is.
  package var kind: Kind
  /// A few words.
  package var text: String
  /// Whether and when it arrives.
  package var fate: Fate

  /// Something on its way between two places.
  package init(_ kind: Kind, from: TraceEvent.Lane, to: TraceEvent.Lane, _ text: String, _ fate: Fate) {
    self.kind = kind
    self.from = from
    self.to = to
    self.text = text
    self.fate = fate
  }
}
