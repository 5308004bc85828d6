import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTableServer

/// The recent facts and failures of a running server, for its status report and its live events.
final class ServerJournal {
  /// The number of facts kept for readers of `/zonekit/events`.
  static let factLimit = 4_096
  /// The number of failures kept for the status report. Other facts do not displace them.
  static let failureLimit = 20

  let version: String
  let startedAt: WallTime
  private(set) var ring = FactRing<ServerFact>(capacity: factLimit)
  /// The number of commits of zones; each zone counts once per turn.
  private(set) var commits = 0
  private(set) var commitFailures: [String] = []
  /// The number of commits that failed.
  private(set) var failedCommits = 0
  /// The number of facts that readers missed because they were behind.
  private(set) var missed: UInt64 = 0
  /// Called with each commit: with the reason why it failed, or with nil.
  var onCommit: ((StoreError?) -> Void)?
  /// Called with the database of each zone that was committed.
  var onChange: ((DatabaseID) -> Void)?
  /// Called with each fact.
  var onFact: ((ServerFact, WallTime) -> Void)?
  private let now: () -> WallTime

  init(version: String, now: @escaping () -> WallTime) {
    self.version = version
    self.now = now
    startedAt = now()
  }

  func record(_ fact: CloudFact) {
    switch fact {
    case .committed(let commit):
      commits += 1
      onChange?(commit.zone.database)
      onCommit?(nil)
    case .commitFailed(let failure):
      failedCommits += 1
      if case .store(let error) = failure.cause { onCommit?(error) }
      commitFailures.append("\(failure)")
      if commitFailures.count > Self.failureLimit { commitFailures.removeFirst() }
    }
    record(.cloud(fact))
  }

  func record(_ fact: PushFact) { record(.push(fact)) }

  func record(_ fact: ChannelServerFact) { record(.channels(fact)) }

  func record(_ fact: DocumentFact) { record(.documents(fact)) }

  private func record(_ fact: ServerFact) {
    let now = now()
    ring.record(fact, at: now)
    onFact?(fact, now)
  }

  /// The facts after that number, at most `limit` of them. Counts those that the reader missed.
  func read(after number: UInt64, limit: Int = .max) -> FactRing<ServerFact>.Reading {
    let reading = ring.read(after: number, limit: limit)
    missed += reading.missed
    return reading
  }
}
