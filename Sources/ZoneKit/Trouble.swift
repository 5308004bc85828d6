import ZoneKitSimulator

/// A kind of trouble that a swarm may make.
public enum Trouble: String, CaseIterable, Hashable, Sendable {
  /// Processes die: anywhere, at a point between two things that they do, or with the power.
  case kill, crashPoint, powerCut
  /// What the user and the system do to an app.
  case forceQuit, background
  /// Links are off, slow, lossy, cut one way or clogged.
  case offline, link
  /// Pushes get lost, come twice, late, in another order, pruned or misaddressed.
  case push
  /// Somebody signs out, or somebody else in.
  case account
  /// Wall clocks are wrong or drift.
  case clock
  /// A device forgets its records or its tokens.
  case reset
  /// Disks fail or are full.
  case disk
  /// A backup is restored to another device.
  case twin
  /// The cloud's process dies.
  case cloudCrash
  /// The cloud answers with errors, or otherwise than one might think.
  case serverError, serverOddity
  /// Zones are deleted, purged or emptied; their keys are reset; the cloud loses them without a word.
  case zone, keysReset, zoneLoss
  /// Tokens expire.
  case tokens
  /// The subscription vanishes or wakes nobody.
  case subscription
  /// The storage is full.
  case quota
  /// Changes are visible late; a first fetch shows fewer tombstones; pushes go to their origin too.
  case visibility, tombstones, leak

  /// The trouble as the simulator calls it: by the same name.
  var simulated: SwarmDraw.Trouble {
    guard let trouble = SwarmDraw.Trouble(rawValue: rawValue) else {
      preconditionFailure("the simulator makes no trouble of the name \(rawValue)")
    }
    return trouble
  }
}
