import ZoneKitRecords

/// Saves of share records (CloudKit Web Services, b.10).
extension ZoneOverlay {
  /// The most shares of a zone. Each of them is read with every change of the zone.
  static var shareLimit: Int { 100 }
  /// The most participants of a share.
  static var participantLimit: Int { 100 }

  /// Whether an operation saves a share.
  func savesShare(_ operation: RecordOperation, _ name: Name) throws(EvaluationFailure) -> Bool {
    if Share.isType(operation.recordType) { return true }
    guard operation.recordType == nil, header.sharing != nil else { return false }
    return try live(name)?.recordType == Share.recordType
  }

  /// Performs the save of a share. If it throws, nothing was changed.
  mutating func saveShare(
    _ operation: RecordOperation, named name: Name, in batch: Batch
  ) throws(EvaluationFailure) -> StoredRecord {
    guard key.database.scope == .private, !key.zoneName.isDefaultZone else {
      throw .refused(.invalidArguments, "only records of custom zones of private databases can be shared")
    }
    guard batch.zoneAccess.isOwner else {
      throw .refused(.permissionFailure, "share \(name) is its owner's to change; delete it to leave it")
    }
    let before = try live(name)
    try check(operation, against: before)
    if let before, before.recordType != Share.recordType {
      throw .refused(.invalidArguments, "record \(name) is of type \(before.recordType) and cannot become a share")
    }
    let known = try before?.share()
    let change = operation.share ?? ShareChange()
    var share: Share
    if let known { share = known } else { share = try newShare(change, named: name, in: batch) }
    try apply(change, to: &share, in: batch)
    let fields = try fields(of: operation, to: before, share)
    try beginSharing()
    let record = try put(
      StoredRecord(
        recordName: name, recordType: Share.recordType, fields: EncodedFields(fields), sequence: 0,
        created: before?.created ?? batch.author, modified: batch.author, parent: nil, references: []))
    note(name, share, replacing: known)
    return record
  }

  /// A participant leaves a share. The record stays.
  mutating func leaveShare(_ record: StoredRecord, in batch: Batch) throws(EvaluationFailure) {
    guard var share = try record.share() else { return }
    let known = share
    share.participants.removeAll { $0.user == batch.caller.userRecordName && $0.role != .owner }
    try replace(record, share, known, by: batch.author)
  }

  /// Writes a share with another content.
  mutating func replace(
    _ record: StoredRecord, _ share: Share, _ known: Share, by author: Authorship
  ) throws(EvaluationFailure) {
    var changed = record
    var fields = try fields(of: record)
    fields[Share.field] = share.fieldValue
    changed.fields = EncodedFields(fields)
    changed.modified = author
    try put(changed)
    note(record.recordName, share, replacing: known)
  }

  private func newShare(
    _ change: ShareChange, named name: Name, in batch: Batch
  ) throws(EvaluationFailure) -> Share {
    let isZoneWide = name == Share.zoneWideName
    guard isZoneWide == (change.root == nil) else {
      throw .refused(
        .invalidArguments,
        "a share needs forRecord with the record that it shares, or the name \(Share.zoneWideName) to share its zone")
    }
    guard header.sharing?.entries.count ?? 0 < Self.shareLimit else {
      throw .refused(.limitExceeded, "zone \(key.zoneName) has \(Self.shareLimit) shares, which is the most")
    }
    if let root = change.root {
      guard let record = try live(root) else { throw .refused(.unknownItem, "did not find record \(root)") }
      guard record.recordType != Share.recordType else {
        throw .refused(.invalidArguments, "record \(root) is a share and cannot be shared")
      }
      guard change.rootTag.map({ $0 == record.record.changeTag }) ?? true else {
        throw .refused(.serverRecordChanged, "record \(root) of forRecord has another change tag")
      }
      if let other = header.sharing?.share(of: root) {
        throw .refused(.invalidArguments, "record \(root) is shared by \(other) already")
      }
    }
    let owner = ShareParticipant(
      id: batch.participantID(batch.ownerName, of: name), user: batch.ownerName, role: .owner, permission: .readWrite,
      status: .accepted)
    return Share(
      shortGUID: ShortGUID(owner: batch.ownerName, secret: batch.shareSecret(of: name)).text, root: change.root,
      publicPermission: .none, participants: [owner])
  }

  private func apply(
    _ change: ShareChange, to share: inout Share, in batch: Batch
  ) throws(EvaluationFailure) {
    if let permission = change.publicPermission { share.publicPermission = permission }
    if let wanted = change.participants {
      guard wanted.count <= Self.participantLimit else {
        throw .refused(.limitExceeded, "a share has at most \(Self.participantLimit) participants")
      }
      var participants = share.participants.filter { $0.role == .owner }
      for participant in wanted {
        guard let found = batch.participant(participant, of: share) else {
          throw .refused(
            .invalidArguments,
            "a participant needs a userIdentity with userRecordName or lookupInfo, or the participantId of a present one"
          )
        }
        let isThere = participants.contains { $0.id == found.id || $0.user != nil && $0.user == found.user }
        if !isThere { participants.append(found) }
      }
      share.participants = participants
    }
    let permission = share.publicPermission
    if !permission.allowsReading { share.participants.removeAll { $0.role == .publicUser } }
    for index in share.participants.indices where share.participants[index].role == .publicUser {
      share.participants[index].permission = permission
    }
  }

  /// The fields of a share record. Names with a dot are those of the native framework, such as `cloudkit.title`.
  private func fields(
    of operation: RecordOperation, to before: StoredRecord?, _ share: Share
  ) throws(EvaluationFailure) -> Fields {
    let keeps = operation.kind == .update || operation.kind == .forceUpdate
    var fields = if keeps, let before { try fields(of: before) } else { Fields() }
    for named in operation.fields {
      guard named.name.isIdentifier || named.name.text.hasPrefix("cloudkit.") else {
        throw .refused(.invalidArguments, "\(named.name) is not a field name of a share")
      }
      switch named.change {
      case .clear: fields.remove(named.name)
      case .malformed(let why): throw .refused(.invalidArguments, "field \(named.name) of a share: \(why)")
      case .set(let value, _, let isEncrypted):
        fields.set(Field(name: named.name, value: value, isEncrypted: isEncrypted))
      }
    }
    fields[Share.field] = share.fieldValue
    return fields
  }

  /// Notes a share in the header. Somebody who does not take part any more may take part in another share of the zone, and
  /// then has records that are to go.
  private mutating func note(_ name: Name, _ share: Share, replacing known: Share?) {
    let left = Set((known?.participants ?? []).filter(\.takesPart).compactMap(\.user))
      .subtracting(share.participants.filter(\.takesPart).compactMap(\.user))
    noteShare(ZoneSharing.Entry(share: name, root: share.root), changesMembers: !left.isEmpty)
  }
}

extension Batch {
  /// A participant that a client names; nil if it is not clear who that is.
  fileprivate func participant(_ wanted: ShareChange.Participant, of share: Share) -> ShareParticipant? {
    let user = wanted.lookup.flatMap { users[$0] }
    let known = share.participants.first { other in
      if let id = wanted.id { return other.id == id }
      return user.map { other.user == $0 } ?? (other.contact != nil && other.contact == wanted.lookup)
    }
    if var known {
      if known.role != .owner {
        known.permission = wanted.permission ?? known.permission
        if let role = wanted.role, role != .owner { known.role = role }
      }
      return known
    }
    guard let lookup = wanted.lookup else { return nil }
    if user == ownerName { return share.participants.first { $0.role == .owner } }
    let role = wanted.role.flatMap { $0 == .administrator ? $0 : nil } ?? .user
    let contact: UserLookup? = if case .userRecordName = lookup { nil } else { lookup }
    return ShareParticipant(
      id: participantID(Name("\(lookup)"), of: Name(share.shortGUID)), user: user, contact: contact, role: role,
      permission: wanted.permission ?? .readOnly, status: .invited)
  }

  /// The ID of a participant.
  fileprivate func participantID(_ participant: Name, of share: Name) -> String {
    ContentHash.of([Array(participant.text.utf8), Array(share.text.utf8), Array("\(shareSeed)".utf8)])
  }

  /// The secret part of a new share's short GUID.
  fileprivate func shareSecret(of name: Name) -> String {
    String(ContentHash.of([Array("\(shareSeed)".utf8), Array(name.text.utf8)]).prefix(16))
  }
}
