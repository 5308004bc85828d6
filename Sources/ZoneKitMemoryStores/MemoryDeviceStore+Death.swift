import ZoneKitRecords
import ZoneKitSync

/// The end of the process that uses a store, and what remains.
extension MemoryDeviceStore {
  /// Whether the store refuses everything, because the process is to die here.
  package var isHalted: Bool { (haltsAfterCommits ?? 1) <= 0 }

  /// Opens the store in a new process. It no longer refuses anything. Every commit is present, synced or not, because
  /// the end of a process does not affect the operating system's cache.
  package mutating func restart() {
    haltsAfterCommits = nil
    haltsBeforeCommit = nil
  }

  /// Whether commits are durable only after the next `sync`, like SQLite's in WAL mode with `synchronous=NORMAL`
  /// (SQLite: pragma.html). Setting it to false syncs.
  package var losesUnsyncedCommits: Bool {
    get { durable != nil }
    set {
      guard newValue != (durable != nil) else { return }
      durable = newValue ? disk : nil
      unsynced = []
    }
  }

  /// The number of commits that a power cut can undo.
  package var unsyncedCommits: Int { unsynced.count }

  /// Makes all commits so far durable.
  package mutating func sync() {
    // Applied a second time instead of copied: after a copy the next commit would copy the whole content.
    for transition in unsynced { durable?.apply(transition) }
    unsynced.removeAll(keepingCapacity: true)
  }

  /// Cuts the power and opens the store in a new process. The first `count` unsynced commits survive completely, the
  /// others not at all; `count` is from 0 to `unsyncedCommits`. SQLite's WAL too loses commits from its end and none in
  /// part (SQLite: wal.html).
  package mutating func powerCut(keeping count: Int) {
    precondition((0...unsynced.count).contains(count), "a power cut leaves 0 to \(unsynced.count) unsynced commits")
    restart()
    guard var left = durable else { return }
    for transition in unsynced.prefix(count) { left.apply(transition) }
    history?.removeLast(unsynced.count - count)
    disk = left
    durable = left
    unsynced = []
  }

  mutating func halt() { haltsAfterCommits = 0 }

  func checkRunning() throws(StoreError) {
    guard isHalted else { return }
    throw StoreError(.failed, "the process ends here", place: "memory")
  }
}
