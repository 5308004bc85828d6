import ZoneKitRecords
import ZoneKitSync

/// An event about a version that the device has fetched, or an older one, is no news and causes no fetch.
package struct KnownVersionChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .request, .answer, .pushHanded, .storeFailed, .diskReplaced, .resetting],
    facts: [.storeFailed, .reset, .accountChanged, .signedOut, .tokenExpired, .zoneLost, .zoneRemoved])

  /// The newest stamp of each type that was fetched.
  private var newest: [Name: WallTime] = [:]
  /// The request for whose answer the device waits.
  private var asked: RequestID?

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .request(let id, _, _): asked = id
    // A device ignores the late answer to a request that it gave up.
    case .answer(let id, .success(.zoneChanges(let results))): if id == asked, history.isSyncing { fetched(results) }
    case .answer: break
    // Only an event about a whole row names types.
    case .pushHanded(let push, let hint, _): if hint?.types != nil { return finding(push) }
    default: newest = [:]
    }
    return nil
  }

  private mutating func fetched(_ results: [ZoneChangesResult]) {
    for case .changes(let changes) in results {
      for row in changes.page.rows where !row.isDeleted {
        let type = Name(changes.page.text(row.type))
        newest[type] = max(newest[type] ?? row.modifiedAt, row.modifiedAt)
      }
    }
  }

  private func finding(_ push: PushNotification) -> Finding? {
    guard let type = push.notificationID?.split(separator: "/").first, let stamp = push.committedAt,
      let newest = newest[Name(String(type))], stamp <= newest
    else { return nil }
    return Finding(
      .repeatedPush, "an event about \(type) as of \(stamp.iso8601) counts, and \(newest.iso8601) was fetched before")
  }
}
