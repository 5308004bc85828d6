import ZoneKitRecords
import ZoneKitSync

extension DeviceEvent {
  /// How a coordinator's fact is told.
  init(_ fact: Fact) {
    switch fact {
    case .launched(let account, let deviceID):
      let user = account?.text ?? "nobody"
      self.init("launched", [("user", .string(user)), ("deviceID", .string(deviceID))], "launched for \(user)")
    case .syncRequested, .syncStarted, .syncFinished, .syncFailed:
      self = Self.sync(fact)
    case .pushReceived, .duplicatePush, .unknownSubscription, .pushForOtherAccount, .drought, .pushTokenRegistered,
      .pushTokenFailed:
      self = Self.push(fact)
    case .subscriptionChecked(let origin):
      self.init(
        "subscription", [("state", "active"), ("origin", .string("\(origin)"))], "subscription \(origin)")
    case .subscriptionFailed(let error):
      self.init(
        "subscription", [("state", "failed"), ("error", .string(error.reason))], "subscription failed: \(error.reason)")
    case .zoneCreated, .zoneRemoved, .zoneLost, .tokenExpired, .tokenStuck, .zoneFailed, .pageMerged, .sweptAway,
      .batchSent:
      self = Self.zone(fact)
    case .recordSent, .conflict, .recognisedOwnWrite, .farFutureStamp, .quarantined, .released, .storm,
      .shownWithoutTarget, .defaultZoneIsSilent:
      self = Self.record(fact)
    case .storeFailed, .twinNoticed, .clockOff, .quotaExceeded, .signedOut, .accountChanged, .linkChanged, .lateAnswer,
      .reset:
      self = Self.device(fact)
    }
  }

  private static func sync(_ fact: Fact) -> DeviceEvent {
    switch fact {
    case .syncStarted(let reasons):
      DeviceEvent("syncStarted", [("reasons", .string(reasons.text))], "sync (\(reasons.text))")
    case .syncFinished(let reasons, let records, let pages):
      DeviceEvent(
        "syncFinished",
        [("reasons", .string(reasons.text)), ("records", .integer(Int64(records))), ("pages", .integer(Int64(pages)))],
        "synced (\(reasons.text)): \(records) records in \(pages) pages")
    case .syncFailed(let reasons, let error, let wait):
      DeviceEvent(
        "syncFailed",
        [
          ("reasons", .string(reasons.text)), ("code", .string(error.code.rawValue)), ("error", .string(error.reason)),
          ("retryInMilliseconds", wait.map(JSON.integer) ?? .null),
        ],
        "sync failed: \(error.reason)" + (wait.map { "; next try in \($0) ms" } ?? ""))
    case .syncRequested(let reason):
      DeviceEvent("syncRequested", [("reason", .string(reason.rawValue))], "sync wanted (\(reason.rawValue))")
    default: unexpected(fact)
    }
  }

  private static func push(_ fact: Fact) -> DeviceEvent {
    switch fact {
    case .pushReceived(let id):
      DeviceEvent("push", [("id", id.map(JSON.string) ?? .null), ("duplicate", false)], "push \(id ?? "without ID")")
    case .duplicatePush(let id):
      DeviceEvent("push", [("id", .string(id)), ("duplicate", true)], "push \(id) came again: ignored")
    case .unknownSubscription(let id):
      DeviceEvent("pushIgnored", [("subscription", .string(id))], "push for unknown subscription \(id): ignored")
    case .pushForOtherAccount(let user):
      DeviceEvent("pushIgnored", [("user", .string(user.text))], "push for another account: ignored")
    case .drought: DeviceEvent("drought", [], "changes came without their push: pushes may not arrive")
    case .pushTokenRegistered(let token):
      DeviceEvent("pushToken", [("token", .string(token))], "push token registered")
    case .pushTokenFailed(let error):
      DeviceEvent("pushToken", [("error", .string(error.reason))], "no push token: \(error.reason)")
    default: unexpected(fact)
    }
  }

  private static func zone(_ fact: Fact) -> DeviceEvent {
    switch fact {
    case .zoneCreated(let id): zoneEvent("zoneCreated", id, "zone \(id.zoneName) created")
    case .zoneRemoved(let id, let discarded, let isPurge):
      zoneEvent(
        "zoneRemoved", id, "zone \(id.zoneName) is gone; \(discarded) unsent edits set aside",
        [("discarded", .integer(Int64(discarded))), ("purge", .bool(isPurge))])
    case .zoneLost(let id, let records):
      zoneEvent(
        "zoneLost", id, "zone \(id.zoneName) was lost; \(records) records are sent again",
        [("records", .integer(Int64(records)))])
    case .tokenExpired(let id):
      DeviceEvent("tokenExpired", [("zone", name(id))], "token of \(id?.zoneName.text ?? "the database") expired")
    case .tokenStuck(let id):
      DeviceEvent("tokenStuck", [("zone", name(id))], "feed of \(id?.zoneName.text ?? "the database") stands still")
    case .zoneFailed(let id, let error):
      zoneEvent(
        "zoneFailed", id, "zone \(id.zoneName): \(error.reason)",
        [("code", .string(error.code.rawValue)), ("error", .string(error.reason))])
    case .pageMerged(let id, let records, let more):
      zoneEvent(
        "pageMerged", id, "\(records) records merged from \(id.zoneName)",
        [("records", .integer(Int64(records))), ("moreComing", .bool(more))])
    case .sweptAway(let id, let records):
      zoneEvent(
        "sweptAway", id, "\(records) records are no longer in \(id.zoneName)", [("records", .integer(Int64(records)))])
    case .batchSent(let id, let saves, let deletes):
      zoneEvent(
        "batchSent", id, "\(saves) saves and \(deletes) deletes sent to \(id.zoneName)",
        [("saves", .integer(Int64(saves))), ("deletes", .integer(Int64(deletes)))])
    default: unexpected(fact)
    }
  }

  private static func record(_ fact: Fact) -> DeviceEvent {
    switch fact {
    case .recordSent(let id, let tag):
      recordEvent("sent", id, "\(id.recordName) sent", [("tag", tag.map { .string($0.text) } ?? .null)])
    case .conflict(let entry):
      recordEvent(
        "conflict", entry.recordID,
        "conflict over \(entry.recordID.recordName): \(entry.winner.rawValue) by \(entry.rule)",
        [
          ("winner", .string(entry.winner.rawValue)), ("rule", .string(entry.rule)),
          ("decidedBy", .string(entry.decidedBy)),
        ])
    case .recognisedOwnWrite(let id):
      recordEvent("ownWrite", id, "\(id.recordName) had arrived although no answer came")
    case .farFutureStamp(let id, let time):
      recordEvent(
        "farFutureStamp", id, "\(id.recordName) is stamped \(time.iso8601), far ahead",
        [("stamp", .string(time.iso8601))])
    case .quarantined(let id, let reason):
      recordEvent("quarantined", id, "\(id.recordName) is kept back: \(reason)", [("reason", .string(reason))])
    case .released(let id): recordEvent("released", id, "\(id.recordName) is tried again")
    case .defaultZoneIsSilent(let id):
      recordEvent("defaultZone", id, "\(id.recordName) is in the default zone: no other device will hear of it")
    case .shownWithoutTarget(let id, let missing):
      recordEvent(
        "shownWithoutTarget", id, "\(id.recordName) leans on \(missing), which is nowhere",
        [("missing", .string(missing.text))])
    case .storm(let id, let devices):
      recordEvent(
        "storm", id, "\(id.recordName) is overwritten again and again by \(devices.joined(separator: ", "))",
        [("devices", .array(devices.map(JSON.string)))])
    default: unexpected(fact)
    }
  }

  private static func device(_ fact: Fact) -> DeviceEvent {
    switch fact {
    case .storeFailed(let error): DeviceEvent("storeFailed", [("error", .string("\(error)"))], "store failed: \(error)")
    case .twinNoticed(let id, let newID):
      DeviceEvent(
        "twin",
        [
          ("record", id.map { .string($0.recordName.text) } ?? .null), ("newDeviceID", newID.map(JSON.string) ?? .null),
        ], "a copy of this device is at work" + (newID.map { "; this one is \($0) now" } ?? ""))
    case .clockOff(let offset):
      DeviceEvent("clockOff", [("offset", .integer(offset))], "this clock is \(-offset) ms ahead of the cloud's")
    case .quotaExceeded: DeviceEvent("quotaExceeded", [], "the cloud is full: edits wait")
    case .signedOut(let error):
      DeviceEvent("signedOut", [("error", error.map { .string($0.reason) } ?? .null)], "signed out")
    case .accountChanged(let old, let new, let discarded):
      DeviceEvent(
        "accountChanged",
        [
          ("from", old.map { .string($0.text) } ?? .null), ("to", new.map { .string($0.text) } ?? .null),
          ("discarded", .integer(Int64(discarded))),
        ], "account is \(new?.text ?? "nobody") now; \(discarded) unsent edits set aside")
    case .linkChanged(let isOnline): DeviceEvent("link", [("online", .bool(isOnline))], isOnline ? "online" : "offline")
    case .lateAnswer(let id):
      DeviceEvent("lateAnswer", [("request", .string("\(id)"))], "answer to \(id) came too late")
    case .reset(_, let discarded):
      DeviceEvent("reset", [("discarded", .integer(Int64(discarded)))], "reset; \(discarded) unsent edits set aside")
    default: unexpected(fact)
    }
  }

  private static func zoneEvent(
    _ event: String, _ id: ZoneID, _ text: String, _ members: [(String, JSON)] = []
  ) -> DeviceEvent {
    DeviceEvent(event, [("zone", .string(id.zoneName.text))] + members, text)
  }

  private static func recordEvent(
    _ event: String, _ id: RecordID, _ text: String, _ members: [(String, JSON)] = []
  ) -> DeviceEvent {
    DeviceEvent(
      event, [("zone", .string(id.zoneID.zoneName.text)), ("record", .string(id.recordName.text))] + members, text)
  }

  private static func name(_ id: ZoneID?) -> JSON { id.map { .string($0.zoneName.text) } ?? .null }

  private static func unexpected(_ fact: Fact) -> DeviceEvent { DeviceEvent("fact", [], "\(fact)") }
}
