import ZoneKitRecords
import ZoneKitSync

/// How the process that holds a store dies, and what is left then.
extension MemoryDeviceStore {
  /// Whether the store refuses everything, for the process is to die here.
  package var isHalted: Bool { (haltsAfterCommits ?? 1) <= 0 }

  /// Opens the store in a new process: it no longer halts. Every commit is there, synced or not, for a process that dies
  /// takes nothing out of the operating system's cache.
  package mutating func restart() {
    haltsAfterCommits = nil
    haltsBeforeCommit = nil
  }

  /// Whether commits are durable only after the next `sync`, as SQLite's are in WAL mode with `synchronous=NORMAL`
  /// (SQLite: pragma.html). Setting it to false syncs.
  package var losesUnsyncedCommits: Bool {
    get { durable != nil }
    set {
      guard newValue != (durable != nil) else { return }
      durable = newValue ? disk : nil
      unsynced = []
    }
  }

  /// How many commits a power cut may take.
  package var unsyncedCommits: Int { unsynced.count }

  /// Makes all commits so far durable.
  package mutating func sync() {
    // Written a second time rather than copied: a copy would make the next commit copy all that the store holds.
    for transition in unsynced { durable?.apply(transition) }
    unsynced.removeAll(keepingCapacity: true)
  }

  /// Cuts the power, and opens the store in a new process: the first `count` of the unsynced commits survive, of the
  /// others nothing. `count` goes from 0 to `unsyncedCommits`; SQLite's WAL loses commits from its end and none in part
  /// (SQLite: wal.html).
  package mutating func powerCut(keeping count: Int) {
    precondition((0...unsynced.count).contains(count), "a power cut leaves 0 to \(unsynced.count) unsynced commits")
    restart()
    guard var left = durable else { return }
    for transition in unsynced.prefix(count) { left.apply(transition) }
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
