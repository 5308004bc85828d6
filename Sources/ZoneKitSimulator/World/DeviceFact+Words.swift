import ZoneKitTimeline
import ZoneKitSync

extension DeviceFact {
  /// The mark of the fact in a trace; nil if another line of the trace already contains it.
  var mark: (Mark.Kind, String)? {
    switch self {
    case .syncStarted(let reasons): (.sync, "sync: \(reasons.text)")
    case .syncFinished(_, let records, _): (.sync, "synced, \(records) records")
    case .syncFailed(_, let error, let wait):
      (.sync, "sync failed: \(error.code.rawValue)" + (wait.map { ", again in \($0) ms" } ?? ""))
    case .pageMerged(let zone, let records, _) where records > 0: (.merge, "merged \(records) of \(zone.zoneName)")
    case .conflict(let entry):
      (.conflict, "\(entry.recordID.recordName.short): \(entry.rule), \(entry.winner.rawValue) wins")
    case .quarantined(let id, let reason): (.fact, "quarantined \(id.recordName.text.prefix(8)): \(reason)")
    case .launched, .syncRequested, .linkChanged, .lateAnswer, .batchSent, .recordSent, .accountChanged, .pageMerged:
      nil
    case .pushReceived: (.push, "push taken")
    case .duplicatePush: (.push, "push seen before")
    case .unknownSubscription: (.push, "push of another subscription")
    case .pushForOtherAccount: (.push, "push for another account")
    case .storeFailed(let error): (.fault, "store failed: \(error.message)")
    default: (.fact, kind.rawValue)
    }
  }
}
