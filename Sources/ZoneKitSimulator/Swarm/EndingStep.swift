/// One step of a story's end, when all faults are over and the promises are looked at.
package enum EndingStep: Hashable, Sendable {
  /// Words for the trace.
  case note(String)
  /// What is done to the world.
  case deed(Deed)
  /// All faults end, and everybody is online, signed in as at the beginning and running; where `restarting`, started anew.
  case recover(restarting: Bool)
  /// Every user looks at their device, and asks for a sync.
  case look
  /// All have to be at rest and to agree within that many milliseconds, else that promise is broken and the story over.
  case converge(within: Int64, Violation.Rule)
  /// Every edit has to be there, or superseded or refused on record.
  case checkEdits
  /// Users have to see what their devices hold.
  case checkViews
  /// Nothing may wait without need, be untold or be said otherwise than it is.
  case checkLeftovers
  /// Copies of one device have to know that they are several, where one has seen what the other wrote of late; else the
  /// story is over for them.
  case haltUnlessNamesDiffer
  /// Nobody may ask the cloud for anything for that many milliseconds.
  case rest(Int64)
}

extension World {
  /// Plays one step of a story's end; says whether the story goes on.
  mutating func play(_ step: EndingStep, of cast: [Story.Cast]) -> Bool {
    switch step {
    case .note(let text): note(.cloud, .step, text)
    case .deed(let deed): play(deed)
    case .recover(let restarting): heal(cast, restarting: restarting)
    case .look: for device in devices.indices { look(at: device) }
    case .converge(let limit, let rule): return expectConvergence(within: limit, rule: rule)
    case .checkEdits: checkEdits()
    case .checkViews: checkViews()
    case .checkLeftovers: checkLeftovers()
    case .haltUnlessNamesDiffer:
      checkTwins()
      return namesDiffer
    case .rest(let milliseconds): expectRest(for: milliseconds)
    }
    return true
  }
}
