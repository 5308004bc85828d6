import ZoneKitRecords
import ZoneKitSync

extension SimulatedDevice {
  /// Starts the coordinator over what the disk has.
  mutating func open() throws(StoreError) {
    coordinator.store.restart()
    coordinator = try SyncCoordinator(store: coordinator.store, configuration: app.configuration)
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
    try app.perform(line, AppView(store: store, account: coordinator.account, wall: wall), &generator)
  }

  /// The edits that the app's rules ask for.
  func repairs(at wall: WallTime) -> [RecordEdit] {
    app.repairs(AppView(store: store, account: coordinator.account, wall: wall))
  }
}
