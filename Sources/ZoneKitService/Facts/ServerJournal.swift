import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords

/// What a running server remembers of what happened, for its status report and its live events; bounded.
final class ServerJournal {
  /// How many facts are kept for readers of `/zonekit/events`.
  static let factLimit = 4_096
  /// How many failures are kept for the status report, however many facts come after them.
  static let failureLimit = 20

  let version: String
  let startedAt: WallTime
  private(set) var ring = FactRing<ServerFact>(capacity: factLimit)
  /// How many zones were committed, counted for each turn.
  private(set) var commits = 0
  private(set) var commitFailures: [String] = []
  /// How many facts readers missed because they were behind.
  private(set) var missed: UInt64 = 0
  private let now: () -> WallTime

  init(version: String, now: @escaping () -> WallTime) {
    self.version = version
    self.now = now
    startedAt = now()
  }

  func record(_ fact: CloudFact) {
    switch fact {
    case .committed: commits += 1
    case .commitFailed(let failure):
      commitFailures.append("\(failure)")
      if commitFailures.count > Self.failureLimit { commitFailures.removeFirst() }
    }
    ring.record(.cloud(fact), at: now())
  }

  func record(_ fact: PushFact) { ring.record(.push(fact), at: now()) }

  /// The facts behind that number; what the reader missed is counted.
  func read(after number: UInt64) -> FactRing<ServerFact>.Reading {
    let reading = ring.read(after: number)
    missed += reading.missed
    return reading
  }
}
