import ZoneKitRecords
import ZoneKitSync

/// A zone that the database's feed listed is read before a sync succeeds, also if the process ended in between; and the
/// token of the database's feed is stored.
package struct ListedZoneChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarted, .request, .answer, .storeFailed, .diskReplaced],
    facts: [.storeFailed, .reset, .accountChanged, .zoneLost, .zoneRemoved, .tokenExpired, .syncFinished])

  private var listed: Set<Name> = []
  /// The zones that the last page of the database's feed listed for the first time.
  private var fresh: Set<Name> = []
  /// The token with which the database's feed was last read.
  private var asked: ChangeToken?
  /// The token of the last page of that feed.
  private var token: ChangeToken?
  /// The account of the device's data.
  private var account: Name?

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarted: started(entry.device)
    case .request(_, .fetchDatabaseChanges(let token, _), _): asked = token
    case .answer(_, .success(let response)): answered(response)
    // What the store could not keep is listed again.
    case .storeFailed, .diskReplaced, .fact(.storeFailed), .fact(.reset): forget()
    case .fact(.accountChanged(_, let new, _)):
      forget()
      account = new
    case .fact(.zoneLost), .fact(.zoneRemoved): listed = []
    case .fact(.tokenExpired(nil)): token = nil
    case .fact(.syncFinished): return finished(entry.device, history)
    default: break
    }
    return nil
  }

  private mutating func forget() { (listed, token) = ([], nil) }

  private mutating func answered(_ response: CloudResponse) {
    switch response {
    case .databaseChanges(let changes):
      token = changes.token
      fresh = []
      for zone in changes.zones {
        switch zone {
        case .changed(let id, _): if listed.insert(id.zoneName).inserted { fresh.insert(id.zoneName) }
        case .deleted(let id, _): listed.remove(id.zoneName)
        }
      }
    case .zoneChanges(let results):
      for result in results {
        switch result {
        case .changes(let changes): if !changes.moreComing { listed.remove(changes.zoneID.zoneName) }
        case .failed(let id, let error):
          if error.code == .zoneNotFound || error.code == .userDeletedZone { listed.remove(id.zoneName) }
        }
      }
    default: break
    }
  }

  /// A process starts with the data of an account. It may be a different account than before, if the previous process
  /// ended during the change. Zones that were listed with a token that the previous process did not store are listed
  /// again, except those that do not exist.
  private mutating func started(_ device: DeviceSnapshot) {
    if device.account != account { forget() }
    account = device.account
    guard device.databaseToken != token || device.databaseToken == asked else { return }
    listed.subtract(fresh)
  }

  private func finished(_ device: DeviceSnapshot, _ history: DeviceHistory) -> Finding? {
    guard history.hasAskedDatabase else { return nil }
    if let name = listed.min() {
      return Finding(
        .requestMissing, "a sync ended well, and zone \(name), which is listed as changed, was not read")
    }
    guard let token, device.databaseToken != token.unlessEmpty else { return nil }
    return Finding(.requestMissing, "a sync ended well, and the token of the database's feed was not kept")
  }
}
