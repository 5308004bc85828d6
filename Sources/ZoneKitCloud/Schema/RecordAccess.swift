import ZoneKitRecords

/// What a caller may do with records. In a public database whose schema has grants, that is what these permit its roles; in all
/// others everything. Nobody has a role of the container's own. A type that the schema lacks has no grants: what is unknown is
/// refused elsewhere.
struct RecordAccess {
  /// The schema with grants; nil if there are none.
  private let schema: ContainerSchema?
  /// The caller's user record name; nil for a caller who is not signed in.
  private let user: Name?

  /// The access of a caller to a database.
  init(_ caller: Caller, to database: DatabaseID, _ schema: ContainerSchema?) {
    self.schema = database.scope == .public ? schema : nil
    user = caller.user == DatabaseID.publicUser ? nil : caller.userRecordName
  }

  /// Whether the caller may do that with a record of that type and creator. Who makes a record is its creator.
  func allows(_ permission: ContainerSchema.Permissions, on recordType: Name, madeBy creator: Name) -> Bool {
    guard let type = schema?.type(recordType) else { return true }
    return type.grants.contains { $0.permissions.contains(permission) && hasRole($0.role, of: creator) }
  }

  /// Refuses what the caller may not do.
  func check(
    _ permission: ContainerSchema.Permissions, on recordType: Name, madeBy creator: Name
  ) throws(EvaluationFailure) {
    guard allows(permission, on: recordType, madeBy: creator) else { throw .refused(Self.error(permission)) }
  }

  /// The user whose records of that type are the only ones that the caller may read; nil if all are readable. Throws if none is.
  func readableCreator(of recordType: Name) throws(EvaluationFailure) -> Name? {
    if allows(.read, on: recordType, madeBy: "") { return nil }
    guard let user, allows(.read, on: recordType, madeBy: user) else { throw .refused(Self.error(.read)) }
    return user
  }

  /// The error for what is not permitted, with the text of the live service.
  static func error(_ permission: ContainerSchema.Permissions) -> CloudError {
    CloudError(.permissionFailure, "\(permission.words.joined()) operation not permitted")
  }

  private func hasRole(_ role: String, of creator: Name) -> Bool {
    switch role {
    case ContainerSchema.world: true
    case ContainerSchema.signedIn: user != nil
    case ContainerSchema.creator: user == creator
    default: false
    }
  }
}

extension Evaluation {
  /// What the caller may do with records of the database.
  var access: RecordAccess { RecordAccess(caller, to: database, policy.schema) }
}
