import ZoneKitRecords
import ZoneKitSimulator

/// The life of a device and of the app's process on it.
extension Device {
  /// Whether the app's process is there.
  public var isRunning: Bool { state.isRunning }

  /// Opens an app that does not run.
  public func start() { world.simulation.start(number) }

  /// The app's process dies at once; what was committed is on its disk.
  public func kill() { world.simulation.kill(number) }

  /// The app's process will die at that point, counted from now on. It stays dead until it is started.
  public func kill(at point: KillPoint) { world.simulation.crash(number, at: point.crash) }

  /// The app's process dies and is opened again.
  public func restart() {
    kill()
    start()
  }

  /// How many steps the process made since its kill point was set, or since its start: a sweep over all points tries
  /// `.step(1)` to `.step(stepCount)`.
  public var stepCount: Int { world.simulation.steps(of: number) }

  /// The power goes. Of the commits that the disk had not synced, the first ones survive, as many as are named; there are
  /// such only on a disk that `losesUnsyncedCommits`. The device is on again at once, the app stays closed.
  public func cutPower(survivingCommits: Int = 0) {
    world.simulation.powerCut(number, keeping: min(survivingCommits, state.store.unsyncedCommits))
  }

  /// The app leaves the front: it runs for a while, then it is suspended, and pushes wake it as the budget allows.
  public func goToBackground() { world.simulation.background(number) }

  /// The app comes to the front; one without a process is started.
  public func comeToForeground() { world.simulation.foreground(number) }

  /// The user throws the app out: no push starts it before they open it.
  public func forceQuit() { world.simulation.forceQuit(number) }

  /// The device saves power or not: pushes do not wake the app while it does.
  public func setLowPower(_ isOn: Bool) { world.simulation.setLowPower(number, isOn) }

  // MARK: The account

  /// Signs an account in, in place of the present one.
  public func signIn(_ account: Name) { world.simulation.signIn(number, account) }

  /// Signs the account out.
  public func signOut() { world.simulation.signIn(number, nil) }

  // MARK: The clock

  /// Sets the wall clock that far ahead of the true time; negative for behind.
  public func setClock(ahead offset: Duration) { world.simulation.setClock(number, offset: offset.milliseconds) }

  /// Makes the wall clock run that many parts of a million too fast from now on; negative for too slow.
  public func setClockDrift(partsPerMillion drift: Int) { world.simulation.setDrift(number, Int64(drift)) }

  // MARK: The disk

  /// The disk's next commits fail and keep nothing.
  public func failCommits(next count: Int = 1) { world.simulation.failCommits(of: number, next: count, keeping: false) }

  /// The disk's next commits are kept, and the app is told that they failed.
  public func failCommitsAfterKeeping(next count: Int = 1) {
    world.simulation.failCommits(of: number, next: count, keeping: true)
  }

  /// Whether the disk has no room left.
  public func setDiskFull(_ isFull: Bool) { world.simulation.setDiskFull(number, isFull) }

  /// Whether commits survive a power cut only once the disk has synced.
  public func setDiskLosesUnsynced(_ isLosing: Bool) { world.simulation.setDiskBuffers(number, isLosing) }

  /// The disk syncs: what was committed so far survives every power cut.
  public func syncDisk() { world.simulation.syncDisk(number) }

  /// Forgets what a reset says; the cloud is not touched.
  public func reset(_ reset: StoreReset) {
    if isRunning { world.simulation.play(reset, of: number) }
  }

  /// Becomes a copy of another device, as when a backup is restored to a new phone; it then starts.
  public func restoreBackup(of original: Device) {
    world.simulation.restoreCopy(of: original.number, to: number)
  }
}
