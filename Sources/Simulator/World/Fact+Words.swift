import SyncCoordinator

/// A coordinator's fact, where the cloud's are in sight too.
package typealias DeviceFact = Fact

extension Fact {
  /// The fact's name, by which a crash can be asked for.
  package var name: String {
    // The case's own name is in no text that the language promises, so it is written out.
    switch self {
    case .launched: "launched"
    case .syncRequested: "syncRequested"
    case .syncStarted: "syncStarted"
    case .syncFinished: "syncFinished"
    case .syncFailed: "syncFailed"
    case .storeFailed: "storeFailed"
    case .pushReceived: "pushReceived"
    case .duplicatePush: "duplicatePush"
    case .unknownSubscription: "unknownSubscription"
    case .pushForOtherAccount: "pushForOtherAccount"
    case .drought: "drought"
    case .pushTokenRegistered: "pushTokenRegistered"
    case .pushTokenFailed: "pushTokenFailed"
    case .subscriptionChecked: "subscriptionChecked"
    case .subscriptionFailed: "subscriptionFailed"
    case .zoneCreated: "zoneCreated"
    case .zoneRemoved: "zoneRemoved"
    case .zoneLost: "zoneLost"
    case .tokenExpired: "tokenExpired"
    case .tokenStuck: "tokenStuck"
    case .zoneFailed: "zoneFailed"
    case .pageMerged: "pageMerged"
    case .sweptAway: "sweptAway"
    case .batchSent: "batchSent"
    case .recordSent: "recordSent"
    case .conflict: "conflict"
    case .recognisedOwnWrite: "recognisedOwnWrite"
    case .twinNoticed: "twinNoticed"
    case .farFutureStamp: "farFutureStamp"
    case .clockOff: "clockOff"
    case .quarantined: "quarantined"
    case .released: "released"
    case .quotaExceeded: "quotaExceeded"
    case .storm: "storm"
    case .signedOut: "signedOut"
    case .accountChanged: "accountChanged"
    case .linkChanged: "linkChanged"
    case .lateAnswer: "lateAnswer"
    case .reset: "reset"
    }
  }

  /// How the fact stands in a trace; nil where another line says it already.
  var mark: (Mark.Kind, String)? {
    switch self {
    case .syncStarted(let reasons): (.sync, "sync: \(reasons.text)")
    case .syncFinished(_, let records, _): (.sync, "synced, \(records) records")
    case .syncFailed(_, let error, let wait):
      (.sync, "sync failed: \(error.code.rawValue)" + (wait.map { ", again in \($0) ms" } ?? ""))
    case .pageMerged(let zone, let records, _) where records > 0: (.merge, "merged \(records) of \(zone.zoneName)")
    case .conflict(let entry):
      (.conflict, "\(entry.recordID.recordName.text.prefix(8)): \(entry.rule), \(entry.winner.rawValue) wins")
    case .quarantined(let id, let reason): (.fact, "quarantined \(id.recordName.text.prefix(8)): \(reason)")
    case .launched, .syncRequested, .linkChanged, .lateAnswer, .batchSent, .recordSent, .accountChanged, .pageMerged:
      nil
    case .pushReceived: (.push, "push taken")
    case .duplicatePush: (.push, "push seen before")
    case .unknownSubscription: (.push, "push of another subscription")
    case .pushForOtherAccount: (.push, "push for another account")
    case .storeFailed(let error): (.fault, "store failed: \(error.message)")
    default: (.fact, name)
    }
  }
}
