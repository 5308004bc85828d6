import ZoneKitSimulator

/// A kind of fault that a random world may contain.
public enum Trouble: String, CaseIterable, Hashable, Sendable {
  /// A process dies at any moment.
  case kill
  /// A process dies at a chosen point between two of its steps.
  case crashPoint
  /// A device loses its power, and commits that its disk had not synced.
  case powerCut
  /// The user force-quits an app.
  case forceQuit
  /// An app goes to the background, where it is suspended.
  case background
  /// A device is offline for a while.
  case offline
  /// A link is slow, lossy, cut one way or clogged.
  case link
  /// Pushes get lost, come twice, late, in another order, pruned or misaddressed.
  case push
  /// The user signs out, or signs another account in.
  case account
  /// A wall clock is wrong or drifts.
  case clock
  /// A device forgets its records or its tokens.
  case reset
  /// A disk fails or is full.
  case disk
  /// A backup is restored to another device.
  case twin
  /// The cloud's process dies.
  case cloudCrash
  /// The cloud answers with errors.
  case serverError
  /// The cloud answers correctly and unusually: late, twice, or with less than it has.
  case serverOddity
  /// A zone is deleted, purged or emptied.
  case zone
  /// The keys of a zone's data are reset.
  case keysReset
  /// The cloud loses a zone without listing it as deleted.
  case zoneLoss
  /// Change tokens expire.
  case tokens
  /// The subscription vanishes or sends no pushes any more.
  case subscription
  /// The account's storage is full.
  case quota
  /// Changes are visible some time after their pushes.
  case visibility
  /// A first fetch shows fewer tombstones.
  case tombstones
  /// Pushes go to the device that made the change too.
  case leak

  /// The simulator's value of the same name.
  var simulated: SwarmDraw.Trouble {
    guard let trouble = SwarmDraw.Trouble(rawValue: rawValue) else {
      preconditionFailure("the simulator makes no trouble of the name \(rawValue)")
    }
    return trouble
  }
}
