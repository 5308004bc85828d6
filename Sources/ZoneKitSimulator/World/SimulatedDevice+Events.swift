import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync

extension SimulatedDevice {
  /// The process of the device's app.
  package typealias Process = DeviceProcess<MemoryDeviceStore, SplitMix64>

  /// Passes an event to the process, or lets it carry on. Returns whether the process is killed before anything else
  /// happens.
  mutating func handle<Outcome>(
    _ moment: Moment, _ event: (inout Process, Moment) -> Outcome
  ) -> (outcome: Outcome, dies: Bool) {
    let (before, events) = (coordinator.store.commitCount, process.eventCount)
    coordinator.store.haltsAfterCommits = crash.commitsLeft
    coordinator.store.haltsBeforeCommit = crash.fatalCommit
    let outcome = event(&process, moment)
    let isHalted = coordinator.store.isHalted
    coordinator.store.restart()
    guard process.eventCount > events else { return (outcome, false) }
    let dies = crash.committed(coordinator.store.commitCount - before)
    return (outcome, dies || isHalted)
  }

  /// When the next tick of the coordinator is to be scheduled; nil if there is none, or if it is scheduled already.
  mutating func nextTick(from now: MonotonicTime) -> MonotonicTime? {
    let due = isComputing ? coordinator.nextDeadline.map { max($0, now) } : nil
    defer { tickAt = due }
    return due == tickAt ? nil : due
  }

  /// When the next tick of the link is to be scheduled; nil if there is none, or if it is scheduled already.
  mutating func nextLinkTick(from now: MonotonicTime) -> MonotonicTime? {
    let due = isComputing ? process.linkDeadline.map { max($0, now) } : nil
    defer { linkTickAt = due }
    return due == linkTickAt ? nil : due
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
    let view = process.view(at: wall)
    var running: any RunningApp
    do throws(StoreError) {
      running = try app.launch(view)
    } catch {
      throw AppRefusal("\(error)")
    }
    return try deed(&running, view, &process.generator)
  }

  /// The repairs of the app's rules.
  func repairs(at wall: WallTime) -> [RecordEdit] {
    let view = process.view(at: wall)
    // The coordinator reports a store that cannot be read.
    guard var running = try? app.launch(view) else { return [] }
    return (try? running.repairs(in: view)) ?? []
  }
}
