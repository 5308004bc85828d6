import ZoneKitRecords
import ZoneKitScenarios

extension ReportedFact {
  /// The event with which `zonekit device --json` reports the fact, and a condition on its content; nil if no event
  /// reports it.
  var event: (name: String, fits: (JSON) -> Bool)? {
    let all: (JSON) -> Bool = { _ in true }
    switch self {
    case .syncRequested: return nil
    case .pushReceived: return ("push", { $0["duplicate"] == false })
    case .duplicatePush: return ("push", { $0["duplicate"] == true })
    case .unknownSubscription: return ("pushIgnored", { $0["subscription"] != nil })
    case .pushForOtherAccount: return ("pushIgnored", { $0["user"] != nil })
    case .pushTokenRegistered: return ("pushToken", { $0["token"] != nil })
    case .pushTokenFailed: return ("pushToken", { $0["error"] != nil })
    case .subscriptionChecked: return ("subscription", { $0["state"] == "active" })
    case .subscriptionFailed: return ("subscription", { $0["state"] == "failed" })
    case .recordSent: return ("sent", all)
    case .recognisedOwnWrite: return ("ownWrite", all)
    case .cloneDetected: return ("cloneDetected", all)
    case .linkChanged: return ("link", all)
    case .launched, .syncStarted, .syncFinished, .syncFailed, .storeFailed, .drought, .zoneCreated, .zoneRemoved,
      .zoneLost, .tokenExpired, .tokenStuck, .zoneFailed, .pageMerged, .leftoversRemoved, .batchSent, .conflict,
      .farFutureStamp, .clockOff, .quarantined, .released, .quotaExceeded, .storm, .signedOut, .accountChanged,
      .lateAnswer, .reset, .shownWithoutTarget, .defaultZoneIsSilent:
      return (rawValue, all)
    }
  }
}
