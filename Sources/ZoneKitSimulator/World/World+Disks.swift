import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync

/// Operations on devices' disks.
extension World {
  /// Gives a stopped device a copy of another disk, as when a backup is restored to a second device.
  package mutating func restore(_ disk: MemoryDeviceStore, to device: Int) {
    precondition(!devices[device].isRunning, "a disk is restored while the process does not run")
    devices[device].coordinator.store = disk
    log(.diskReplaced, of: device)
    note(.device(device), .life, "a backup is restored")
  }

  /// Replaces the disk of `copy` by a copy of the disk of `original`, or by `older`, and restarts it. Does nothing if
  /// both are the same device.
  package mutating func restoreCopy(of original: Int, to copy: Int, disk older: MemoryDeviceStore? = nil) {
    guard original != copy else { return }
    kill(copy)
    let (before, disk) = (devices[copy].store, older ?? devices[original].store)
    let (account, source) = (devices[copy].coordinator.account, devices[original].coordinator)
    check(copy) { checkers in
      checkers.model.excuseLosses(from: before, to: disk, of: account)
      checkers.model.excuseWaiting(on: source.store, of: source.account)
    }
    restore(disk, to: copy)
    devices[copy].account = devices[original].account
    start(copy)
  }

  /// Makes the disk's next commits fail. If `keeping`, the data is written all the same.
  package mutating func failCommits(of device: Int, next count: Int, keeping: Bool) {
    let error = StoreError(.failed, "the disk hiccuped", place: "memory")
    changeDisk(device) {
      $0.faults += Array(repeating: keeping ? .afterCommit(error) : .beforeCommit(error), count: count)
    }
  }

  /// Fills the disk, or frees space on it.
  package mutating func setDiskFull(_ device: Int, _ isFull: Bool) { changeDisk(device) { $0.isFull = isFull } }

  /// Makes the disk's commits durable only after a sync, or immediately.
  package mutating func setDiskBuffers(_ device: Int, _ buffers: Bool) {
    changeDisk(device) { $0.losesUnsyncedCommits = buffers }
  }

  /// Makes all commits on the disk so far durable.
  package mutating func syncDisk(_ device: Int) { changeDisk(device) { $0.sync() } }

  /// Changes a device's disk. Throws the error of `change`.
  package mutating func changeDisk<Failure>(
    _ device: Int, _ change: (inout MemoryDeviceStore) throws(Failure) -> Void
  ) throws(Failure) {
    try change(&devices[device].coordinator.store)
  }

  /// Erases a device that is not running: its store with its tokens and its device ID.
  package mutating func erase(_ device: Int) {
    precondition(!devices[device].isRunning, "a device is erased while its process does not run")
    let before = devices[device].store
    devices[device].coordinator.store = MemoryDeviceStore(keepingHistory: options.keepsHistories)
    logReplacedDisk(of: device, from: before, account: devices[device].account)
    note(.device(device), .life, "erased")
  }

  /// Sets the time until the disk's commits are durable, in milliseconds; nil for none.
  package mutating func setDiskDelay(_ device: Int, _ milliseconds: Int64?) {
    devices[device].diskDelay = milliseconds
    changeDisk(device) { $0.losesUnsyncedCommits = milliseconds != nil }
  }

  /// Schedules the next sync of the disk. There is one at a time, and it includes all commits before its end.
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
