import ZoneKitRecords

extension DeviceFact {
  /// The fact as a sentence.
  var text: String {
    switch self {
    case .launched(let account, _): "launched for \(account?.text ?? "nobody")"
    case .syncRequested(let reason): "sync wanted (\(reason.rawValue))"
    case .syncStarted(let reasons): "sync (\(reasons.text))"
    case .syncFinished(let reasons, let records, let pages):
      "synced (\(reasons.text)): \(records.counted("record")) in \(pages.counted("page"))"
    case .syncFailed(_, let error, let wait):
      "sync failed: \(error.reason)" + (wait.map { "; next try in \($0) ms" } ?? "")
    case .refreshEnded(let isWell): "background refresh done" + (isWell ? "" : ", not completed")
    case .storeFailed(let error): "store failed: \(error)"
    case .pushReceived(let id): "push \(id ?? "without ID")"
    case .duplicatePush(let id): "push \(id) came again: ignored"
    case .unknownSubscription(let id): "push for unknown subscription \(id): ignored"
    case .pushForOtherAccount: "push for another account: ignored"
    case .drought: "changes came without their push: pushes may not arrive"
    case .pushTokenRegistered: "push token registered"
    case .pushTokenRefused(let wait):
      "the push service does not know the push token" + (wait > 0 ? "; next one in \(wait) ms" : "")
    case .pushTokenFailed(let error): "no push token: \(error.reason)"
    case .subscriptionChecked(let origin): "subscription \(origin)"
    case .subscriptionFailed(let error): "subscription failed: \(error.reason)"
    case .zoneCreated(let id): "zone \(id.zoneName) created"
    case .zoneRemoved(let id, let discarded, _):
      "zone \(id.zoneName) is gone; \(discarded.counted("unsent edit")) moved to the journal"
    case .zoneLost(let id, let records): "zone \(id.zoneName) was lost; sending \(records.counted("record")) again"
    case .tokenExpired(let id): "token of \(id?.zoneName.text ?? "the database") expired"
    case .tokenStuck(let id): "feed of \(id?.zoneName.text ?? "the database") repeats its token"
    case .zoneFailed(let id, let error): "zone \(id.zoneName): \(error.reason)"
    case .pageMerged(let id, let records, _): "\(records.counted("record")) merged from \(id.zoneName)"
    case .leftoversRemoved(let id, let records):
      "\(records.counted("record")) removed that \(id.zoneName) no longer has; the journal keeps them"
    case .shownWithoutTarget(let id, let missing): "\(id.recordName) is shown without \(missing), which has not arrived"
    case .batchSent(let id, let saves, let deletes):
      "sending \(saves.counted("save")) and \(deletes.counted("delete")) to \(id.zoneName)"
    case .recordSent(let id, _): "\(id.recordName) sent"
    case .recordKept(let id, _): "\(id.recordName) sent; the cloud kept its own version"
    case .conflict(let entry):
      "conflict over \(entry.recordID.recordName): \(entry.winner.rawValue) by \(entry.rule)"
    case .recognisedOwnWrite(let id): "\(id.recordName) had been saved although its answer was lost"
    case .cloneDetected(_, let newID):
      "a copy of this device is active" + (newID.map { "; this device has the ID \($0) now" } ?? "")
    case .farFutureStamp(let id, let time): "\(id.recordName) is stamped \(time.iso8601), far ahead"
    case .clockOff(let offset): "this clock is \(-offset) ms ahead of the cloud's"
    case .quarantined(let id, let reason): "\(id.recordName) is kept back: \(reason)"
    case .released(let id): "\(id.recordName) is tried again"
    case .defaultZoneIsSilent(let id): "\(id.recordName) is in the default zone: other devices do not get it"
    case .quotaExceeded: "the cloud is full: edits wait"
    case .storm(let id, let devices):
      "\(id.recordName) is overwritten repeatedly by \(devices.joined(separator: ", "))"
    case .signedOut: "signed out"
    case .accountChanged(_, let new, let discarded):
      "account is \(new?.text ?? "nobody") now; \(discarded.counted("unsent edit")) moved to the journal"
    case .linkChanged(let isOnline): isOnline ? "online" : "offline"
    case .lateAnswer(let id): "answer to \(id) came too late"
    case .reset(_, let discarded): "reset; \(discarded.counted("unsent edit")) moved to the journal"
    }
  }
}
