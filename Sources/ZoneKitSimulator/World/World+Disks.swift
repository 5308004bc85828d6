import ZoneKitRecords
import ZoneKitSync

/// What happens to devices' disks.
extension World {
  /// Gives a device that does not run the disk of another one, as a backup does that is restored to a twin.
  package mutating func restore(_ disk: MemoryDeviceStore, to device: Int) {
    precondition(!devices[device].isRunning, "a disk is restored while the process does not run")
    devices[device].coordinator.store = disk
    inspector.gotAnotherDisk(device)
    note(.device(device), .life, "a backup is restored")
  }

  /// Changes what a device's disk does or holds. Throws what the change throws.
  package mutating func changeDisk<Failure>(
    _ device: Int, _ change: (inout MemoryDeviceStore) throws(Failure) -> Void
  ) throws(Failure) {
    try change(&devices[device].coordinator.store)
  }

  /// Wipes a device that does not run: its store, and with it its tokens and its name.
  package mutating func erase(_ device: Int) {
    precondition(!devices[device].isRunning, "a device is erased while its process does not run")
    let before = devices[device].store
    devices[device].coordinator.store = MemoryDeviceStore()
    inspector.lost(device, from: before, to: devices[device].store, of: devices[device].account)
    note(.device(device), .life, "erased")
  }

  /// Makes the disk take that many milliseconds until commits are durable; nil for none.
  package mutating func setDiskDelay(_ device: Int, _ milliseconds: Int64?) {
    devices[device].diskDelay = milliseconds
    changeDisk(device) { $0.losesUnsyncedCommits = milliseconds != nil }
  }

  /// One sync of the disk ends at a time, and takes with it all that was committed before it ends.
  mutating func scheduleDiskSync(_ device: Int) {
    guard let delay = devices[device].diskDelay, devices[device].diskSyncAt == nil,
      devices[device].store.unsyncedCommits > 0
    else { return }
    let due = now.advanced(byMilliseconds: delay)
    devices[device].diskSyncAt = due
    queue.add(.diskSync(device: device, due), at: due)
  }

  mutating func syncDisk(_ device: Int, at due: MonotonicTime) {
    guard devices[device].diskSyncAt == due else { return }
    devices[device].diskSyncAt = nil
    changeDisk(device) { $0.sync() }
  }
}
