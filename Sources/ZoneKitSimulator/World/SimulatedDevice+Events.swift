import ZoneKitDeviceHost
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync

extension SimulatedDevice {
  /// Starts the coordinator over the content of the disk.
  mutating func open() throws(StoreError) {
    coordinator.store.restart()
    coordinator = try SyncCoordinator(store: coordinator.store, configuration: app.simulatedConfiguration)
    pushLine = .closed
    pushPace = ReconnectPace()
  }

  /// Passes an event to the coordinator. Returns whether the process is killed before anything else happens.
  mutating func handle(
    _ moment: Moment, _ event: (inout SyncCoordinator<MemoryDeviceStore>, Moment, inout SplitMix64) -> [Effect]
  ) -> (effects: [Effect], dies: Bool) {
    let before = coordinator.store.commitCount
    coordinator.store.haltsAfterCommits = crash.commitsLeft
    coordinator.store.haltsBeforeCommit = crash.fatalCommit
    let effects = event(&coordinator, moment, &generator)
    let isHalted = coordinator.store.isHalted
    coordinator.store.restart()
    let dies = crash.committed(coordinator.store.commitCount - before)
    return (effects, dies || isHalted)
  }

  /// When the next tick of the coordinator is to be scheduled; nil if there is none, or if it is scheduled already.
  mutating func nextTick(from now: MonotonicTime) -> MonotonicTime? {
    let due = isComputing ? coordinator.nextDeadline.map { max($0, now) } : nil
    defer { tickAt = due }
    return due == tickAt ? nil : due
  }

  /// The app's answer to a command.
  mutating func answer(to line: String, at wall: WallTime) throws(AppRefusal) -> AppAnswer {
    try answer(at: wall) { app, view, generator throws(AppRefusal) in
      try app.perform(line, in: view, using: &generator)
    }
  }

  /// The app's answer to what its user does.
  mutating func answer(
    at wall: WallTime, _ deed: (inout any RunningApp, AppView, inout SplitMix64) throws(AppRefusal) -> AppAnswer
  ) throws(AppRefusal) -> AppAnswer {
    let view = view(at: wall)
    var running: any RunningApp
    do throws(StoreError) {
      running = try app.launch(view)
    } catch {
      throw AppRefusal("\(error)")
    }
    return try deed(&running, view, &generator)
  }

  /// The repairs of the app's rules.
  func repairs(at wall: WallTime) -> [RecordEdit] {
    let view = view(at: wall)
    // The coordinator reports a store that cannot be read.
    guard var running = try? app.launch(view) else { return [] }
    return (try? running.repairs(in: view)) ?? []
  }

  /// The device's state for the app at that time.
  func view(at wall: WallTime) -> AppView {
    AppView(store: store, account: coordinator.account, wall: wall, timeZone: timeZone)
  }
}
