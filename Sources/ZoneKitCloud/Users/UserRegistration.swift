import ZoneKitRecords

/// Enters users into the directory of a container and environment. What it knows already is not written again.
///
/// Each user also has a record of the type `Users` in the default zone of the public database, which clients see (CloudKit
/// Web Services, b.9). These are made when the public database is first used.
package struct UserRegistration: ZoneTransaction {
  private let users: [DirectoryUser]
  private let directory: UserDirectory
  private let opensPublicZone: Bool
  private let now: WallTime

  /// The registration of users in the container and environment of a database. What is not known of a user is nil, and
  /// does not replace what the directory has. With `opensPublicZone`, the public database is used from now on.
  package init(
    _ users: [DirectoryUser], near database: DatabaseID, opensPublicZone: Bool = false, at now: WallTime
  ) {
    self.users = users
    self.opensPublicZone = opensPublicZone
    directory = UserDirectory(of: database)
    self.now = now
  }

  /// The zone with the records that clients see.
  private var publicZone: ZoneKey {
    ZoneKey(database: directory.zone.database, zoneName: ZoneID.defaultZone.zoneName)
  }

  private var names: [Name] { users.map(\.identity.userRecordName) }

  /// The users, their contacts, and the header of the public zone.
  package var likelyNeeds: [Need] {
    [
      .records((names + users.flatMap(\.contacts).map(UserDirectory.recordName)).distinct, in: directory.zone),
      .zone(publicZone),
    ]
  }

  /// The answer is the number of zones that changed.
  package func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    let known = try reader.users(names.map { .userRecordName($0) }, near: directory.zone.database)
    var changed: [(before: DirectoryUser?, user: DirectoryUser)] = []
    for (user, before) in zip(users, known) {
      let after = before?.updated(by: user) ?? user
      if after != before { changed.append((before, after)) }
    }
    var zones: [ZoneOverlay] = []
    if !changed.isEmpty {
      let contacts = changed.flatMap { ($0.before?.contacts ?? []) + $0.user.contacts }.map(UserDirectory.recordName)
      try reader.content(of: directory.zone)
        .require([.zone(directory.zone), .records(contacts.distinct, in: directory.zone)])
      var entries = try ZoneOverlay(of: directory.zone, at: now, reading: &reader, using: &generator)
      for change in changed { try enter(change.user, replacing: change.before, in: &entries) }
      zones.append(entries)
    }
    let unseen = try namesWithoutRecord(reading: &reader)
    if !unseen.isEmpty {
      var records = try ZoneOverlay(of: publicZone, at: now, reading: &reader, using: &generator)
      for name in unseen { try records.put(record(name, UserDirectory.publicType, Fields(), of: name)) }
      zones.append(records)
    }
    return TransactionOutcome(TransactionAnswer(zones.count, size: 0), changing: zones, isTold: false)
  }

  /// The users who lack a record in the public zone and have to have one.
  private func namesWithoutRecord(reading reader: inout NotingReader) throws(EvaluationFailure) -> [Name] {
    let isUsed = try reader.zone(publicZone)?.isDeleted == false
    guard isUsed || opensPublicZone else { return [] }
    let owners = isUsed ? names : (try reader.content(of: directory.zone).userNames() + names).distinct
    let content = reader.content(of: publicZone)
    try content.require([.records(owners, in: publicZone)])
    var unseen: [Name] = []
    for name in owners where try content.record(name)?.isDeleted != false { unseen.append(name) }
    return unseen
  }

  /// Writes a user and the contacts that lead to it. A contact stays with the user who had it first.
  private func enter(
    _ user: DirectoryUser, replacing before: DirectoryUser?, in entries: inout ZoneOverlay
  ) throws(EvaluationFailure) {
    let name = user.identity.userRecordName
    try entries.put(record(name, UserDirectory.userType, user.fields, of: name))
    let contacts = user.contacts.map(UserDirectory.recordName)
    for contact in (before?.contacts ?? []).map(UserDirectory.recordName) where !contacts.contains(contact) {
      guard let old = try entries.live(contact), try entries.owner(of: old) == name else { continue }
      try entries.bury(old, by: Authorship(at: now, author: Author(userRecordName: name)))
    }
    let leading = Fields([Field(name: UserDirectory.owner, value: .string(name.text))])
    for contact in contacts where try entries.live(contact) == nil {
      try entries.put(record(contact, UserDirectory.contactType, leading, of: name))
    }
  }

  private func record(_ name: Name, _ recordType: Name, _ fields: Fields, of user: Name) -> StoredRecord {
    let author = Authorship(at: now, author: Author(userRecordName: user))
    return StoredRecord(
      recordName: name, recordType: recordType, fields: EncodedFields(fields), sequence: 0, created: author,
      modified: author, parent: nil, references: [])
  }
}

extension ZoneOverlay {
  /// The user to whom a contact leads.
  fileprivate func owner(of contact: StoredRecord) throws(EvaluationFailure) -> Name? {
    try fields(of: contact)[UserDirectory.owner]?.text.map { Name($0) }
  }
}
