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

  /// When the next tick is to be scheduled; nil if there is none, or if it is scheduled already.
  mutating func nextTick(from now: MonotonicTime) -> MonotonicTime? {
    let due = process.nextDeadline.map { max($0, now) }
    defer { tickAt = due }
    return due == tickAt ? nil : due
  }
}
