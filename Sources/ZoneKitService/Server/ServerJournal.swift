import ZoneKitRecords
import ZoneKitCloud

/// What a running server remembers of what happened, for its status report; bounded.
final class ServerJournal {
  /// How many failures are kept.
  static let failureLimit = 20

  let version: String
  let startedAt: WallTime
  private(set) var commits = 0
  private(set) var commitFailures: [String] = []
  private(set) var commitFailureCount = 0

  init(version: String, startedAt: WallTime) {
    self.version = version
    self.startedAt = startedAt
  }

  func record(_ fact: CloudFact) {
    switch fact {
    case .committed: commits += 1
    case .commitFailed(let failure):
      commitFailureCount += 1
      commitFailures.append("\(failure)")
      if commitFailures.count > Self.failureLimit { commitFailures.removeFirst() }
    }
  }

}
