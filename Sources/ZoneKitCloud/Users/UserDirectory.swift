import ZoneKitRecords

/// The users that an environment of a container knows, by user record name, e-mail address and phone number.
///
/// A rule that has a user's record name and needs the account, such as that of a shared zone's owner, asks
/// `NotingReader.users(_:near:)` in its evaluation; the account's databases are `DatabaseID(container:environment:user:
/// found.account, scope:)`. `needs(of:askedBy:)` predicts the read. `UserRegistration` writes the directory, and
/// `CloudProcess` submits one when it first meets an account.
///
/// The directory is a zone of the public database that no request reaches and no list names. A record of
/// the type `User` has the name of the user's record, and one of the type `Contact` leads from an address or number to it.
package struct UserDirectory: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneKey

  /// The name of the zone in each public database.
  static let zoneName: Name = "_users"
  static let userType: Name = "User", contactType: Name = "Contact"
  /// The field of a contact with the user's record name.
  static let owner: Name = "userRecordName"
  /// The type of the record that each user has in the default zone of the public database (CloudKit Web Services, b.9).
  static let publicType: Name = "Users"

  /// The directory of the container and environment of a database.
  package init(of database: DatabaseID) {
    zone = ZoneKey(database: database.public, zoneName: Self.zoneName)
  }

  /// The name of the record that a lookup begins with.
  static func recordName(of lookup: UserLookup) -> Name {
    switch lookup {
    case .userRecordName(let name): name
    case .emailAddress(let address): Name("email:" + address.filter { $0 != " " }.lowercased())
    case .phoneNumber(let number): Name("phone:" + number.filter { $0.isASCII && $0.isNumber || $0 == "+" })
    }
  }

  /// What a lookup reads, as far as it can be predicted.
  package func needs(of lookups: [UserLookup], askedBy caller: Caller) -> [Need] {
    [.records((lookups.map(Self.recordName) + [caller.userRecordName]).distinct, in: zone)]
  }
}

extension ZoneKey {
  /// Whether it is a zone of the cloud itself, a directory of users or of record types: reports leave it out.
  package var isInternal: Bool {
    database.scope == .public && [UserDirectory.zoneName, SchemaDirectory.zoneName].contains(zoneName)
  }
}

extension DatabaseID {
  /// The public database of the same container and environment.
  package var `public`: DatabaseID { of(Self.publicUser, .public) }

  /// The database of a user in the same container and environment.
  func of(_ user: Name, _ scope: DatabaseScope) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: user, scope: scope)
  }
}

extension NotingReader {
  /// The users for these lookups in the directory of a database's container and environment; nil for each that it does
  /// not know.
  package mutating func users(
    _ lookups: [UserLookup], near database: DatabaseID
  ) throws(EvaluationFailure) -> [DirectoryUser?] {
    let zone = UserDirectory(of: database).zone
    let content = content(of: zone)
    let names = lookups.map(UserDirectory.recordName)
    try content.require([.records(names.distinct, in: zone)])
    var found: [Name?] = []
    for (lookup, name) in zip(lookups, names) {
      if case .userRecordName = lookup { found.append(name) } else { found.append(try content.owner(ofContact: name)) }
    }
    try content.require([.records(found.compactMap(\.self).distinct, in: zone)])
    var users: [DirectoryUser?] = []
    for name in found {
      users.append(try name.map { (name) throws(EvaluationFailure) in try content.user(name) } ?? nil)
    }
    return users
  }
}

extension ZoneContent {
  /// The user of that record name in the directory; nil if there is none.
  func user(_ name: Name) throws(EvaluationFailure) -> DirectoryUser? {
    guard let record = try record(name), !record.isDeleted, record.recordType == UserDirectory.userType else {
      return nil
    }
    return DirectoryUser(try record.decodedFields())
  }

  /// The record names of all users in the directory.
  func userNames() throws(EvaluationFailure) -> [Name] {
    let page = try feed(.whole).page
    return page.rows.filter { !$0.isDeleted }.map { Name(page.text($0.name)) }.filter(\.isReserved)
  }

  /// The record name of the user with a contact; nil if there is none.
  func owner(ofContact name: Name) throws(EvaluationFailure) -> Name? {
    guard let record = try record(name), !record.isDeleted, record.recordType == UserDirectory.contactType else {
      return nil
    }
    return try record.decodedFields()[UserDirectory.owner]?.text.map { Name($0) }
  }
}

extension [Name] {
  /// The names in their order, each once.
  var distinct: [Name] {
    var seen: Set<Name> = []
    return filter { seen.insert($0).inserted }
  }
}
