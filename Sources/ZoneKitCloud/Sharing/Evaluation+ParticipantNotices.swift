import ZoneKitRecords

extension Evaluation {
  /// The notices of a change for those with whom records are shared that it concerns: those who saw them before, and those
  /// who see them after it. `records` are the changed ones; nil if the zone ended. `header` is the zone's after the change.
  mutating func participantNotices(
    of header: ZoneHeader, in key: ZoneKey, _ records: [StoredRecord]?, like notice: Notice?,
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> [Notice] {
    let before = try reader.zone(key)
    guard before?.sharing != nil || header.sharing != nil else { return [] }
    let changed = Dictionary((records ?? []).map { ($0.recordName, $0) }) { _, last in last }
    var shares = try before.map { (before) throws(EvaluationFailure) in try reader.shares(of: before, in: key) } ?? []
    for record in records ?? [] where !record.isDeleted {
      if let share = try record.share() { shares.append((record, share)) }
    }
    let owner = ZoneOwner.user(UserRecordName.of(user: key.database.user))
    let zoneID = ZoneID(zoneName: key.zoneName, owner: owner)
    let content = reader.content(of: key)
    let ancestor = { (name: Name) throws(EvaluationFailure) -> StoredRecord? in
      if let record = changed[name] { return record }
      try content.require([.records([name], in: key)])
      return try content.record(name)
    }
    var notices: [Notice] = []
    for (user, account) in shares.participants {
      let access = shares.access(of: user, to: zoneID, header)
      var isConcerned = records == nil
      for record in records ?? [] where !isConcerned {
        isConcerned = try access.shows(record.recordName, below: record.parent, ancestor)
      }
      guard isConcerned else { continue }
      let database = key.database.of(account, .shared)
      var made = self.notice(
        of: zoneID, in: database, isOfRecords: true, subscriptions: try reader.peek(database).subscriptions,
        using: &generator)
      if let notice { made.notificationID = notice.notificationID }
      notices.append(made)
    }
    return notices
  }
}

extension [(record: StoredRecord, share: Share)] {
  /// Those who take part in one of the shares, each once.
  fileprivate var participants: [(user: Name, account: Name)] {
    var seen: Set<Name> = []
    return flatMap(\.share.participants).filter(\.takesPart).compactMap { participant in
      guard let user = participant.user, let account = participant.account, seen.insert(user).inserted else {
        return nil
      }
      return (user, account)
    }
  }
}
