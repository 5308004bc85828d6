import ZoneKitSimulator

/// A kind of fault in a random simulation.
public enum Trouble: String, CaseIterable, Hashable, Sendable {
  /// A process is killed at any time.
  case kill
  /// A process is killed at a chosen point between two of its steps.
  case crashPoint
  /// A device loses power, and the commits that its disk has not synced.
  case powerCut
  /// The user force-quits an app.
  case forceQuit
  /// An app goes to the background and is suspended.
  case background
  /// A device is offline for a while.
  case offline
  /// A link is slow, lossy, cut in one direction, or clogged.
  case link
  /// Pushes are lost, repeated, delayed, reordered, pruned or misaddressed.
  case push
  /// The user signs out, or signs another account in.
  case account
  /// A wall clock is wrong or drifts.
  case clock
  /// A device's records or tokens are reset.
  case reset
  /// A disk fails or is full.
  case disk
  /// A backup is restored to another device.
  case twin
  /// The cloud's process is killed.
  case cloudCrash
  /// The cloud answers with errors.
  case serverError
  /// The cloud answers correctly but unusually: late, twice, or with incomplete pages.
  case serverOddity
  /// A zone is deleted, purged or emptied.
  case zone
  /// The keys of a zone's data are reset.
  case keysReset
  /// The cloud loses a zone without listing a deletion.
  case zoneLoss
  /// Records of the cloud are damaged, zones lose commits or are restored from copies, and change tokens become
  /// unreadable.
  case damage
  /// Change tokens expire.
  case tokens
  /// The subscription is lost or stops sending pushes.
  case subscription
  /// The account's storage is full.
  case quota
  /// Changes become visible some time after their pushes.
  case visibility
  /// A fetch without a token gets fewer tombstones.
  case tombstones
  /// Pushes also go to the device that made the change.
  case leak

  /// The simulator's value of the same name.
  var simulated: SwarmDraw.Trouble {
    guard let trouble = SwarmDraw.Trouble(rawValue: rawValue) else {
      preconditionFailure("the simulator makes no trouble of the name \(rawValue)")
    }
    return trouble
  }
}
