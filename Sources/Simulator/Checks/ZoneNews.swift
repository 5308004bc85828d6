import Records
import SyncCoordinator

/// Which zones the database's feed has listed to one device, and the device has not read since: no sync may end well before
/// it has, also not after the process died in between.
struct ZoneNews: Sendable {
  private var listed: Set<Name> = []
  /// What the last page of the database's feed listed that was not listed before.
  private var fresh: Set<Name> = []
  /// Since when the device asked the database's feed last.
  private var asked: ChangeToken?
  /// The token of the last page of that feed.
  private var token: ChangeToken?

  mutating func sent(_ request: CloudRequest) {
    if case .fetchDatabaseChanges(let token, _) = request { asked = token }
  }

  /// The device takes an answer of the cloud in.
  mutating func answered(_ answer: Result<CloudResponse, CloudError>) {
    switch answer {
    case .success(.databaseChanges(let changes)):
      token = changes.token
      fresh = []
      for zone in changes.zones {
        switch zone {
        case .changed(let id, _): if listed.insert(id.zoneName).inserted { fresh.insert(id.zoneName) }
        case .deleted(let id, _): listed.remove(id.zoneName)
        }
      }
    case .success(.zoneChanges(let results)):
      for result in results {
        switch result {
        case .changes(let changes): if !changes.moreComing { listed.remove(changes.zoneID.zoneName) }
        case .failed(let id, let error) where error.code == .zoneNotFound || error.code == .userDeletedZone:
          listed.remove(id.zoneName)
        case .failed: break
        }
      }
    default: break
    }
  }

  /// A process starts with that token. What was listed together with a token that the one before it did not keep is listed
  /// again, unless the cloud listed what is not there.
  mutating func started(with kept: ChangeToken?) {
    guard kept != token || kept == asked else { return }
    listed.subtract(fresh)
  }

  /// Takes in what the device tells of itself; returns what must not be.
  /// - Parameter hasAsked: Whether the sync under way has asked the database's feed.
  mutating func heard(_ fact: DeviceFact, hasAsked: Bool) -> (Violation.Rule, String)? {
    switch fact {
    // What the store could not keep is listed again.
    case .accountChanged, .reset, .storeFailed, .zoneLost, .zoneRemoved: listed = []
    case .syncFinished where hasAsked && !listed.isEmpty:
      return (.neglect, "a sync ended well, and zone \(listed.sorted()[0]), which is listed as changed, was not read")
    default: break
    }
    return nil
  }

  /// The device has another disk, or an earlier state of its own.
  mutating func forget() { listed = [] }
}
