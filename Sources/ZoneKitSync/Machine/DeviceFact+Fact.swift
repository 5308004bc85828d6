import ZoneKitRecords

extension Fact {
  /// The fact in the common form of all machines.
  public init(_ fact: DeviceFact) {
    self.init(fact.kind, fact.members.map { JSON.Member($0.0, $0.1) }, fact.text)
  }
}

extension DeviceFact {
  /// The fact's details, as JSON members.
  fileprivate var members: [(String, JSON)] {
    switch self {
    case .drought, .quotaExceeded: []
    case .launched(let account, let deviceID):
      [("user", .string(account?.text ?? "nobody")), ("deviceID", .string(deviceID))]
    case .syncRequested(let reason): [("reason", .string(reason.rawValue))]
    case .syncStarted(let reasons): [("reasons", .string(reasons.text))]
    case .syncFinished(let reasons, let records, let pages):
      [("reasons", .string(reasons.text)), ("records", .count(records)), ("pages", .count(pages))]
    case .syncFailed(let reasons, let error, let wait):
      [("reasons", .string(reasons.text))] + Self.members(error) + [("retryInMilliseconds", .optional(wait))]
    case .refreshEnded(let isWell): [("well", .bool(isWell))]
    case .storeFailed(let error): [("error", .string("\(error)"))]
    case .pushReceived(let id): [("id", .optional(id)), ("duplicate", false)]
    case .duplicatePush(let id): [("id", .string(id)), ("duplicate", true)]
    case .unknownSubscription(let id): [("subscription", .string(id))]
    case .pushForOtherAccount(let user): [("user", .string(user.text))]
    case .pushTokenRegistered(let token): [("token", .string(token))]
    case .pushTokenRefused(let wait): [("state", "refused"), ("retryInMilliseconds", .integer(wait))]
    case .pushTokenFailed(let error): [("error", .string(error.reason))]
    case .subscriptionChecked(let origin): [("state", "active"), ("origin", .string("\(origin)"))]
    case .subscriptionFailed(let error): [("state", "failed"), ("error", .string(error.reason))]
    case .zoneCreated(let id): Self.members(id)
    case .zoneRemoved(let id, let discarded, let isPurge):
      Self.members(id) + [("discarded", .count(discarded)), ("purge", .bool(isPurge))]
    case .zoneLost(let id, let records), .leftoversRemoved(let id, let records):
      Self.members(id) + [("records", .count(records))]
    case .tokenExpired(let id), .tokenStuck(let id): [("zone", .optional(id?.zoneName.text))]
    case .zoneFailed(let id, let error): Self.members(id) + Self.members(error)
    case .pageMerged(let id, let records, let more):
      Self.members(id) + [("records", .count(records)), ("moreComing", .bool(more))]
    case .shownWithoutTarget(let id, let missing): Self.members(id) + [("missing", .string(missing.text))]
    case .batchSent(let id, let saves, let deletes):
      Self.members(id) + [("saves", .count(saves)), ("deletes", .count(deletes))]
    case .recordSent(let id, let tag): Self.members(id) + [("tag", .optional(tag?.text))]
    case .recordKept(let id, let tag): Self.members(id) + [("tag", .string(tag.text))]
    case .conflict(let entry): Self.members(entry)
    case .recognisedOwnWrite(let id), .released(let id), .defaultZoneIsSilent(let id): Self.members(id)
    case .cloneDetected(let id, let newID):
      [("record", .optional(id?.recordName.text)), ("newDeviceID", .optional(newID))]
    case .farFutureStamp(let id, let time): Self.members(id) + [("stamp", .string(time.iso8601))]
    case .clockOff(let offset): [("offset", .integer(offset))]
    case .quarantined(let id, let reason): Self.members(id) + [("reason", .string(reason))]
    case .storm(let id, let devices): Self.members(id) + [("devices", .array(devices.map(JSON.string)))]
    case .signedOut(let error): [("error", .optional(error?.reason))]
    case .accountChanged(let old, let new, let discarded):
      [("from", .optional(old?.text)), ("to", .optional(new?.text)), ("discarded", .count(discarded))]
    case .linkChanged(let isOnline): [("online", .bool(isOnline))]
    case .lateAnswer(let id): [("request", .string("\(id)"))]
    case .reset(_, let discarded): [("discarded", .count(discarded))]
    }
  }

  private static func members(_ zone: ZoneID) -> [(String, JSON)] { [("zone", .string(zone.zoneName.text))] }

  private static func members(_ record: RecordID) -> [(String, JSON)] {
    members(record.zoneID) + [("record", .string(record.recordName.text))]
  }

  private static func members(_ error: CloudError) -> [(String, JSON)] {
    [("code", .string(error.code.rawValue)), ("error", .string(error.reason))]
  }

  private static func members(_ entry: ConflictEntry) -> [(String, JSON)] {
    members(entry.recordID) + [
      ("winner", .string(entry.winner.rawValue)), ("rule", .string(entry.rule)),
      ("decidedBy", .string(entry.decidedBy)),
    ]
  }
}

extension JSON {
  /// A count as JSON.
  fileprivate static func count(_ count: Int) -> JSON { .integer(Int64(count)) }

  /// A text as JSON; null if it is nil.
  fileprivate static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

  /// A number as JSON; null if it is nil.
  fileprivate static func optional(_ number: Int64?) -> JSON { number.map(JSON.integer) ?? .null }
}
