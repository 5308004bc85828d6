import ZoneKitRecords

/// The body of a request to `/zonekit/administration`: an operation, its database and the caller.
package struct AdministrationRequest: Hashable, Sendable {
  /// The operation.
  package var operation: Administration
  /// The database of the operation.
  package var database: DatabaseID
  /// The account and device to which changes are attributed.
  package var caller: Caller

  /// A request for an operation.
  package init(_ operation: Administration, in database: DatabaseID, from caller: Caller) {
    self.operation = operation
    self.database = database
    self.caller = caller
  }

  /// The body from which `init(parsing:)` makes the same request.
  package var json: JSON {
    .object(
      operation.members
        + [JSON.Member](known: [
          "container": .string(database.container.text), "environment": .string(database.environment.rawValue),
          "scope": .string(database.scope.rawValue), "user": .string(caller.user.text),
          "device": caller.deviceID.map { .string($0) },
        ]))
  }

  /// Parses a body, as in `{"do":"purgeZone","zone":"Notes","container":…,"user":…}`.
  package init(parsing body: [UInt8]) throws(MemberError) {
    let places = ["container", "environment", "scope", "user", "device"]
    let members = try JSONMembers(
      JSON(controlling: body), at: "administration", known: Administration.keys + places)
    let scope: DatabaseScope = try members.word("scope", "must be private, shared or public") ?? .private
    caller = Caller(
      user: Name(try members.required("user", "the name of an account")), deviceID: try members.text("device"))
    database = DatabaseID(
      container: Name(try members.required("container", "the name of a container")),
      environment: try members.word("environment", "must be \(Environment.allNames)") ?? .development,
      user: caller.user, scope: scope)
    operation = try Administration(members)
  }
}
