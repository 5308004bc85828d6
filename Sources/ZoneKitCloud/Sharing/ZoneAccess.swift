import ZoneKitRecords

/// What a caller may do with the records of a zone: the owner everything, others what shares grant.
struct ZoneAccess {
  /// What one share grants.
  struct Grant {
    /// The share record.
    var share: Name
    /// The record that is shared with all below it; nil for the zone.
    var root: Name?
    var permission: SharePermission
  }

  /// The zone as the caller names it.
  let zoneID: ZoneID
  /// What the shares grant in which the caller takes part; nil for the owner.
  let grants: [Grant]?
  /// The sequence from which on the caller's tokens are valid.
  var since: Int64 = 0

  /// The owner's access to that zone.
  static func owner(of zone: Name) -> ZoneAccess { ZoneAccess(zoneID: ZoneID(zoneName: zone), grants: nil) }

  /// Whether the caller may change some record.
  var mayWrite: Bool { grants?.contains { $0.permission == .readWrite } ?? true }

  /// Whether the caller owns the zone.
  var isOwner: Bool { grants == nil }

  /// The greatest depth of a hierarchy.
  private static let depthLimit = 64

  /// Whether a record is among those that the caller sees, given its parent. `ancestor` returns a record or its tombstone.
  /// A deleted record still leads to the records above it, so that its deletion does not change who sees those below.
  func shows(
    _ name: Name, below parent: Name?, _ ancestor: (Name) throws(EvaluationFailure) -> StoredRecord?
  ) throws(EvaluationFailure) -> Bool {
    guard grants != nil else { return true }
    return try permission(on: name, below: parent, ancestor).allowsReading
  }

  /// What the caller may do with a record, given its parent.
  func permission(
    on name: Name, below parent: Name?, _ ancestor: (Name) throws(EvaluationFailure) -> StoredRecord?
  ) throws(EvaluationFailure) -> SharePermission {
    guard let grants else { return .readWrite }
    if grants.contains(where: { $0.share == name }) { return .readOnly }
    var best = SharePermission.none
    for grant in grants where grant.root == nil { best = best.combined(with: grant.permission) }
    var place: Name? = name
    var above = parent
    for _ in 0..<Self.depthLimit {
      guard best != .readWrite, let record = place else { break }
      for grant in grants where grant.root == record { best = best.combined(with: grant.permission) }
      place = above
      above = try above.map { (name) throws(EvaluationFailure) in try ancestor(name)?.parent } ?? nil
    }
    return best
  }

  /// The rows of a page that the caller sees.
  func visible(_ page: RecordPage, in content: ZoneContent) throws(EvaluationFailure) -> RecordPage {
    guard grants != nil else { return page }
    try requireAncestors(of: page.rows.compactMap(page.parent), in: content)
    var rows: [RecordPage.Row] = []
    for row in page.rows {
      if try shows(Name(page.text(row.name)), below: page.parent(of: row), content.record) { rows.append(row) }
    }
    return RecordPage(bytes: page.bytes, rows: rows, authors: page.authors)
  }

  /// Requires the records above others, level by level, so that each level is read at once.
  func requireAncestors(of parents: [Name], in content: ZoneContent) throws(EvaluationFailure) {
    guard grants != nil else { return }
    var seen: Set<Name> = []
    var level = parents.filter { seen.insert($0).inserted }
    while !level.isEmpty {
      try content.require([.records(level, in: content.key)])
      var next: [Name] = []
      for name in level {
        if let parent = try content.record(name)?.parent, seen.insert(parent).inserted { next.append(parent) }
      }
      level = next
    }
  }
}

extension SharePermission {
  /// The greater of two permissions.
  func combined(with other: SharePermission) -> SharePermission {
    if self == .readWrite || other == .readWrite { return .readWrite }
    return allowsReading ? self : other
  }
}

extension NotingReader {
  /// The live share records of a zone with their content.
  mutating func shares(
    of header: ZoneHeader, in key: ZoneKey
  ) throws(EvaluationFailure) -> [(record: StoredRecord, share: Share)] {
    guard let sharing = header.sharing, !sharing.entries.isEmpty else { return [] }
    let content = content(of: key)
    try content.require([.records(sharing.entries.map(\.share), in: key)])
    var found: [(record: StoredRecord, share: Share)] = []
    for entry in sharing.entries {
      guard let record = try content.record(entry.share), !record.isDeleted, let share = try record.share() else {
        continue
      }
      found.append((record, share))
    }
    return found
  }
}

extension StoredRecord {
  /// The content of a share record; nil for any other record.
  func share() throws(EvaluationFailure) -> Share? {
    recordType == Share.recordType ? Share(try decodedFields()) : nil
  }
}

extension [(record: StoredRecord, share: Share)] {
  /// What a user may do in the zone of these shares.
  func access(of user: Name, to zoneID: ZoneID, _ header: ZoneHeader) -> ZoneAccess {
    var since = header.sharing?.epoch ?? 0
    var grants: [ZoneAccess.Grant] = []
    for (record, share) in self {
      guard let participant = share.participant(user), participant.takesPart else { continue }
      since = Swift.max(since, participant.since)
      grants.append(
        ZoneAccess.Grant(share: record.recordName, root: share.root, permission: participant.permission))
    }
    return ZoneAccess(zoneID: zoneID, grants: grants, since: since)
  }
}
