import ZoneKitRecords
import ZoneKitSync

/// What the database's feed has told one device of zones: a listed one has to be read before a sync may end well, also
/// after the process died in between; only one that was told to be deleted may be thrown away; and up to where a feed was
/// read is remembered.
struct ZoneNews: Sendable {
  private var listed: Set<Name> = []
  /// What the last page of the database's feed listed that was not listed before.
  private var fresh: Set<Name> = []
  /// The zones that were told to be gone.
  private var gone: [Name: ZoneDeletion] = [:]
  /// Since when the device asked the database's feed last.
  private var asked: ChangeToken?
  /// The token of the last page of that feed.
  private var token: ChangeToken?
  /// The tokens of the zones' last pages in the sync under way.
  private var tokens: [ZoneID: ChangeToken] = [:]
  /// Whose data the device holds.
  private var account: Name?

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
        case .deleted(let id, let deletion):
          listed.remove(id.zoneName)
          gone[id.zoneName] = deletion
        }
      }
    case .success(.zoneChanges(let results)):
      for result in results {
        switch result {
        case .changes(let changes):
          tokens[changes.zoneID] = changes.token
          if !changes.moreComing { listed.remove(changes.zoneID.zoneName) }
        case .failed(let id, let error) where error.code == .zoneNotFound || error.code == .userDeletedZone:
          listed.remove(id.zoneName)
        case .failed: break
        }
      }
    default: break
    }
  }

  /// A process starts with that token, over the data of that account, which may be another's where the one before died as
  /// it changed hands. What was listed together with a token that the one before it did not keep is listed again, unless
  /// the cloud listed what is not there.
  mutating func started(with kept: ChangeToken?, account: Name?) {
    if account != self.account { forget() }
    self.account = account
    guard kept != token || kept == asked else { return }
    listed.subtract(fresh)
  }

  /// Takes in what the device tells of itself; returns what must not be.
  /// - Parameter hasAsked: Whether the sync under way has asked the database's feed.
  mutating func heard(_ fact: DeviceFact, from state: SimulatedDevice, hasAsked: Bool) -> (Violation.Rule, String)? {
    switch fact {
    case .zoneRemoved(let id, _, isPurge: false)
    where gone[id.zoneName] != .deleted && state.app.configuration.zoneRemovalRule == nil:
      listed = []
      return (.lostEdit, "zone \(id.words) was thrown away, and nobody deleted it")
    // What the store could not keep is listed again.
    case .reset, .storeFailed: forget()
    case .accountChanged(_, let new, _):
      forget()
      account = new
    case .zoneLost, .zoneRemoved:
      listed = []
      tokens = [:]
    case .syncStarted: tokens = [:]
    case .tokenExpired(let id):
      if let id { tokens[id] = nil } else { token = nil }
    case .syncFinished: return finished(state, hasAsked: hasAsked)
    default: break
    }
    return nil
  }

  /// What must not be when a sync has ended well.
  private func finished(_ state: SimulatedDevice, hasAsked: Bool) -> (Violation.Rule, String)? {
    if hasAsked, let name = listed.min() {
      return (.neglect, "a sync ended well, and zone \(name), which is listed as changed, was not read")
    }
    if hasAsked, let token, state.coordinator.databaseToken != token.unlessEmpty {
      return (.neglect, "a sync ended well, and the token of the database's feed was not kept")
    }
    let lost = state.coordinator.zoneStates.first { zone in
      tokens[zone.zoneID].map { $0.unlessEmpty != zone.token } ?? false
    }
    guard let zone = lost else { return nil }
    return (.neglect, "a sync ended well, and the token of zone \(zone.zoneID.words) was not kept")
  }

  /// The device has another disk, or an earlier state of its own.
  mutating func forget() {
    listed = []
    tokens = [:]
    token = nil
  }
}
