import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

extension SimulatedDevice {
  /// Starts the coordinator over what the disk has.
  mutating func open() throws(StoreError) {
    coordinator.store.restart()
    coordinator = try SyncCoordinator(store: coordinator.store, configuration: app.simulatedConfiguration)
    pushLine = .closed
    pushPace = ReconnectPace()
  }

  /// Hands an event in. Says whether the process has to die before anything else happens.
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

  /// The edits that a line asks for.
  mutating func edits(for line: String, at wall: WallTime) throws(AppRefusal) -> [RecordEdit] {
    let view = view(at: wall)
    do {
      var running = try app.launch(view)
      return try running.perform(line, in: view, using: &generator).edits
    } catch let refusal as AppRefusal {
      throw refusal
    } catch {
      throw AppRefusal("\(error)")
    }
  }

  /// The edits that the app's rules ask for.
  func repairs(at wall: WallTime) -> [RecordEdit] {
    let view = view(at: wall)
    // A store that cannot be read is the coordinator's to report.
    guard var running = try? app.launch(view) else { return [] }
    return (try? running.repairs(in: view)) ?? []
  }

  /// What the app sees of the device at that time.
  func view(at wall: WallTime) -> AppView { AppView(store: store, account: coordinator.account, wall: wall) }
}
