import ZoneKitRecords
import ZoneKitSync

/// What happens to devices' disks.
extension World {
  /// Gives a device that does not run the disk of another one, as a backup does that is restored to a twin.
  package mutating func restore(_ disk: MemoryDeviceStore, to device: Int) {
    precondition(!devices[device].isRunning, "a disk is restored while the process does not run")
    devices[device].coordinator.store = disk
    log(.diskReplaced, of: device)
    note(.device(device), .life, "a backup is restored")
  }

  /// The disk of one device becomes a copy of another one's, or of an older one of its, and its process starts anew;
  /// nothing happens where both are one device.
  package mutating func restoreCopy(of original: Int, to twin: Int, disk older: MemoryDeviceStore? = nil) {
    guard original != twin else { return }
    kill(twin)
    let (before, disk) = (devices[twin].store, older ?? devices[original].store)
    checkers.model.excuseLosses(from: before, to: disk, of: devices[twin].coordinator.account)
    checkers.model.excuseWaiting(on: devices[original].store, of: devices[original].coordinator.account)
    restore(disk, to: twin)
    devices[twin].account = devices[original].account
    start(twin)
  }

  /// The disk's next commits fail; where `keeping`, they are kept all the same.
  package mutating func failCommits(of device: Int, next count: Int, keeping: Bool) {
    let error = StoreError(.failed, "the disk hiccuped", place: "memory")
    changeDisk(device) {
      $0.faults += Array(repeating: keeping ? .afterCommit(error) : .beforeCommit(error), count: count)
    }
  }

  /// The disk has no room left, or has room again.
  package mutating func setDiskFull(_ device: Int, _ isFull: Bool) { changeDisk(device) { $0.isFull = isFull } }

  /// The disk's commits are durable only after a sync, or at once.
  package mutating func setDiskBuffers(_ device: Int, _ buffers: Bool) {
    changeDisk(device) { $0.losesUnsyncedCommits = buffers }
  }

  /// What was committed on the disk so far is durable.
  package mutating func syncDisk(_ device: Int) { changeDisk(device) { $0.sync() } }

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
    logReplacedDisk(of: device, from: before, account: devices[device].account)
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
