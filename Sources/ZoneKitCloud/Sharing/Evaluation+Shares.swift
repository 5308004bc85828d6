import ZoneKitRecords

/// Short GUIDs: finding a share and taking part in it (CloudKit Web Services, a.1 rows 25 and 26, b.10).
extension Evaluation {
  /// What short GUIDs lead to, each on its own.
  mutating func resolveShares(_ requests: [ShareRequest]) throws(EvaluationFailure) -> Outcome {
    try checkCount(requests.count, of: "shortGUIDs")
    var results: [ShareResult] = []
    for request in requests {
      do throws(EvaluationFailure) {
        let found = try share(request)
        results.append(.share(try resolved(found, found.participant)))
      } catch {
        results.append(.failed(request, try error.ofItem()))
      }
    }
    return Outcome(.shares(results))
  }

  /// The caller takes part in shares. One in which the caller takes part already is answered the same, so that a request
  /// whose answer was lost can be repeated.
  mutating func acceptShares(
    _ requests: [ShareRequest], using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    try checkCount(requests.count, of: "shortGUIDs")
    guard Set(requests.map(\.shortGUID)).count == requests.count else {
      throw .refused(.invalidArguments, "a short GUID comes twice in one request; accept each once")
    }
    var results: [ShareResult] = []
    var accepted: [ZoneKey: ZoneOverlay] = [:]
    for request in requests {
      do throws(EvaluationFailure) {
        var found = try share(request, in: accepted)
        try accept(&found, in: &accepted)
        results.append(.share(try resolved(found, found.participant)))
      } catch {
        results.append(.failed(request, try error.ofItem()))
      }
    }
    var outcome = Outcome(.shares(results))
    try add(accepted, to: &outcome, using: &generator)
    return outcome
  }

  /// A share that was found.
  private struct FoundShare {
    let request: ShareRequest
    let key: ZoneKey
    var header: ZoneHeader
    var record: StoredRecord
    var share: Share
    let owner: Name
    /// The caller's part, as far as there is one.
    var participant: ShareParticipant?
  }

  private mutating func share(
    _ request: ShareRequest, in changed: [ZoneKey: ZoneOverlay] = [:]
  ) throws(EvaluationFailure) -> FoundShare {
    let unknown = EvaluationFailure.refused(
      .unknownItem, "did not find a share with the short GUID \(request.shortGUID)")
    guard let guid = ShortGUID(request.shortGUID), let database = try account(of: guid.owner) else { throw unknown }
    for header in try reader.zones(of: database).headers where !header.isDeleted && header.sharing != nil {
      let key = ZoneKey(database: database, zoneName: header.zoneName)
      for (record, share) in try reader.shares(of: header, in: key) where share.shortGUID == request.shortGUID {
        let record = try changed[key]?.live(record.recordName) ?? record
        let share = try record.share() ?? share
        return FoundShare(
          request: request, key: key, header: changed[key]?.header ?? header, record: record, share: share,
          owner: guid.owner, participant: try part(in: share))
      }
    }
    throw unknown
  }

  /// The caller's part in a share: an invitation by name, by an address that the directory has for the caller, or the public
  /// permission; nil if there is none.
  private mutating func part(in share: Share) throws(EvaluationFailure) -> ShareParticipant? {
    if let known = share.participant(caller.userRecordName) { return known }
    let identity = try reader.users([.userRecordName(caller.userRecordName)], near: database)[0]
    let contacts = (identity?.contacts ?? []).map(UserDirectory.recordName)
    let invited = share.participants.first { other in
      other.user == nil && other.contact.map { contacts.contains(UserDirectory.recordName(of: $0)) } ?? false
    }
    if var invited {
      invited.user = caller.userRecordName
      return invited
    }
    guard share.publicPermission.allowsReading else { return nil }
    return ShareParticipant(
      id: ContentHash.of([Array(caller.userRecordName.text.utf8), Array(share.shortGUID.utf8)]),
      user: caller.userRecordName, role: .publicUser, permission: share.publicPermission, status: .invited)
  }

  private mutating func accept(
    _ found: inout FoundShare, in accepted: inout [ZoneKey: ZoneOverlay]
  ) throws(EvaluationFailure) {
    guard var participant = found.participant, participant.permission.allowsReading else {
      throw .refused(.permissionFailure, "the owner of the share has not invited \(caller.userRecordName)")
    }
    guard participant.role != .owner, participant.status != .accepted else { return }
    guard found.share.participants.count <= ZoneOverlay.participantLimit else {
      throw .refused(.limitExceeded, "the share has \(ZoneOverlay.participantLimit) participants, which is the most")
    }
    var overlay = accepted[found.key] ?? ZoneOverlay(content: reader.content(of: found.key), header: found.header)
    participant.status = .accepted
    participant.account = caller.user
    // The save of the share gets the next sequence, and so does every later token.
    participant.since = overlay.header.sequence + 1
    let known = found.share
    found.share.participants.removeAll { $0.id == participant.id || $0.user == participant.user }
    found.share.participants.append(participant)
    try overlay.replace(
      found.record, found.share, known, by: Authorship(at: now, author: Author(caller)))
    accepted[found.key] = overlay
    found.header = overlay.header
    found.record = try overlay.live(found.record.recordName) ?? found.record
    found.participant = participant
  }

  /// Adds the changes of the owners' zones, and the entries of the caller's shared database.
  private mutating func add(
    _ accepted: [ZoneKey: ZoneOverlay], to outcome: inout Outcome, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) {
    let shared = database.of(caller.user, .shared)
    var entries = try reader.peek(shared)
    for key in accepted.keys.sorted() {
      guard let overlay = accepted[key], let changes = overlay.changes else { continue }
      var state = try reader.peek(key.database)
      let change = try zoneChange(
        overlay.header, in: key, records: changes.records, state: &state, using: &generator)
      outcome.add(change, spending: &state, in: key.database)
    }
    guard case .response(.shares(let results)) = outcome.answer else { return }
    var noted: Set<Name> = []
    for case .share(let resolved) in results where resolved.participant.takesPart {
      let entry = SharedZoneEntry(owner: resolved.owner, zoneName: resolved.zoneID.zoneName)
      guard noted.insert(entry.name).inserted else { continue }
      let before = try reader.zone(ZoneKey(database: shared, zoneName: entry.name))
      guard before?.isDeleted ?? true else { continue }
      var header = ZoneHeader(zoneName: entry.name, replacing: before, at: now, using: &generator)
      header.sharing = ZoneSharing(epoch: -1)
      outcome.zoneChanges.append(try entryChange(header, state: &entries))
    }
  }

  /// A share as the caller gets it.
  private mutating func resolved(
    _ found: FoundShare, _ part: ShareParticipant?
  ) throws(EvaluationFailure) -> ResolvedShare {
    let isOwner = part?.role == .owner
    let zoneID = ZoneID(zoneName: found.key.zoneName, owner: .user(found.owner)).resolved(for: caller.userRecordName)
    let candidates = part == nil ? found.share.participants.filter { $0.user == nil && $0.status == .invited } : []
    guard part != nil || !candidates.isEmpty else {
      throw .refused(.permissionFailure, "the owner of the share has not invited \(caller.userRecordName)")
    }
    let participant =
      part ?? ShareParticipant(id: "", user: nil, role: .unknown, permission: .none, status: .unknown)
    var root: Record?
    if found.request.fetchesRoot, part != nil, let name = found.share.root {
      let content = reader.content(of: found.key)
      try content.require([.records([name], in: found.key)])
      root = try content.record(name).flatMap { $0.isDeleted ? nil : $0.record }
      root?.share = found.record.recordName
    }
    return ResolvedShare(
      request: found.request, database: database.of(caller.user, isOwner ? .private : .shared), zoneID: zoneID,
      rootName: found.share.root, record: part == nil ? nil : found.record.record, root: root, owner: found.owner,
      participant: participant, candidates: candidates)
  }
}
