/// One thing that `zonekit doctor` looked at.
package struct Finding: Hashable, Sendable {
  /// How good or bad it is.
  package enum State: String, Hashable, Sendable {
    /// As it should be.
    case ok
    /// Worth knowing.
    case note
    /// Something will not work, or data is in danger.
    case problem
  }

  /// How good or bad it is.
  package let state: State
  /// What was looked at, in one word.
  package let subject: String
  /// What was found.
  package let text: String
  /// What to do about it; nil if nothing needs to be done.
  package let remedy: String?

  init(_ state: State, _ subject: String, _ text: String, remedy: String? = nil) {
    self.state = state
    self.subject = subject
    self.text = text
    self.remedy = remedy
  }
}

extension Finding {
  /// The time below which no disk has kept what it was given, in microseconds.
  private static let quickestSync: Int64 = 15
  /// The time above which every request is seen to wait, in microseconds.
  private static let slowestSync: Int64 = 30_000
  /// The room below which a disk is about to be full, in bytes.
  private static let leastRoom: Int64 = 200 << 20

  /// What a disk promises that takes so long for a write with `fdatasync` and has so many bytes free.
  static func disk(isInMemory: Bool, microseconds: Int64, freeBytes: Int64) -> [Finding] {
    let time = "a write with fdatasync takes \(microseconds) µs"
    let sync: Finding
    if isInMemory {
      sync = Finding(
        .note, "disk", "the folder is in memory: nothing survives a restart of the machine",
        remedy: "choose a folder on a disk with --data, unless this is meant")
    } else if microseconds < quickestSync {
      sync = Finding(
        .problem, "disk", "\(time), which no disk can do: what was answered does not survive a power cut",
        remedy: "do without eatmydata, mount options such as nobarrier, and virtual disks that ignore flushes")
    } else if microseconds > slowestSync {
      sync = Finding(
        .note, "disk", "\(time): each request waits for that", remedy: "choose a folder on a faster disk with --data")
    } else {
      sync = Finding(.ok, "disk", time)
    }
    let room = "\(freeBytes >> 20) MiB are free"
    let isFull = freeBytes < leastRoom
    return [
      sync, Finding(isFull ? .problem : .ok, "disk", room, remedy: isFull ? "make room, or choose another disk" : nil),
    ]
  }
}
