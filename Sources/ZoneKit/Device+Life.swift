import ZoneKitRecords
import ZoneKitSimulator

/// The app's process, the account, the clock and the disk of a device.
extension Device {
  /// Whether the app's process is running.
  public var isRunning: Bool { state.isRunning }

  /// Opens the app if it is not running.
  public func start() { world.simulation.start(number) }

  /// Kills the app's process. What was committed is on the device's disk.
  public func kill() { world.simulation.kill(number) }

  /// Makes the app's process die at that point, counted from now on. It stays dead until it is started.
  public func kill(at point: KillPoint) { world.simulation.crash(number, at: point.simulated) }

  /// Kills the app's process and opens the app again.
  public func restart() {
    kill()
    start()
  }

  /// The number of the process's steps since its kill point was set, or since its start. A sweep over all points uses
  /// `.step(1)` to `.step(stepCount)`.
  public var stepCount: Int { world.simulation.steps(of: number) }

  /// Cuts the device's power. Of the commits that the disk has not synced, the first `survivingCommits` survive. There
  /// are such commits only after `setDiskLosesUnsynced(true)`. The device is on again immediately, and the app stays
  /// closed.
  public func cutPower(survivingCommits: Int = 0) {
    world.simulation.powerCut(number, keeping: min(survivingCommits, state.store.unsyncedCommits))
  }

  /// Moves the app to the background. It runs on for a while and is then suspended. Pushes wake it as the budget
  /// allows.
  public func goToBackground() { world.simulation.background(number) }

  /// Brings the app to the foreground, and starts it if it is not running.
  public func comeToForeground() { world.simulation.foreground(number) }

  /// Force-quits the app as its user. No push starts it until the user opens it.
  public func forceQuit() { world.simulation.forceQuit(number) }

  /// Turns low power mode on or off. While it is on, pushes do not wake the app.
  public func setLowPower(_ isOn: Bool) { world.simulation.setLowPower(number, isOn) }

  // MARK: The account

  /// Signs an account in, instead of the present one.
  public func signIn(_ account: Name) { world.simulation.signIn(number, account) }

  /// Signs the account out.
  public func signOut() { world.simulation.signIn(number, nil) }

  // MARK: The clock

  /// Sets the offset of the wall clock from the true time; negative if it is behind.
  public func setClock(ahead offset: Duration) { world.simulation.setClock(number, offset: offset.milliseconds) }

  /// Sets the drift of the wall clock in parts per million from now on; negative if it runs slow.
  public func setClockDrift(partsPerMillion drift: Int) { world.simulation.setDrift(number, Int64(drift)) }

  /// Moves the device to a time zone. Its records stay as they are.
  public func move(to zone: TimeZoneRules) { world.simulation.setTimeZone(number, zone) }

  // MARK: The disk

  /// Makes the disk's next commits fail and keep nothing.
  public func failCommits(next count: Int = 1) { world.simulation.failCommits(of: number, next: count, keeping: false) }

  /// Makes the disk's next commits fail after the data was kept.
  public func failCommitsAfterKeeping(next count: Int = 1) {
    world.simulation.failCommits(of: number, next: count, keeping: true)
  }

  /// Fills the disk, or frees space on it.
  public func setDiskFull(_ isFull: Bool) { world.simulation.setDiskFull(number, isFull) }

  /// Sets whether commits survive a power cut only after the disk has synced.
  public func setDiskLosesUnsynced(_ isLosing: Bool) { world.simulation.setDiskBuffers(number, isLosing) }

  /// Syncs the disk: what was committed so far survives every power cut.
  public func syncDisk() { world.simulation.syncDisk(number) }

  /// Performs a scripted reset of the device. The cloud is unchanged.
  public func reset(_ reset: StoreReset) {
    if isRunning { world.simulation.play(reset, of: number) }
  }

  /// Makes the device a copy of another one, as when a backup is restored to a new device, and starts it.
  public func restoreBackup(of original: Device) {
    world.simulation.restoreCopy(of: original.number, to: number)
  }
}
