import ZoneKitRecords

/// The body of a request to `/zonekit/administration`: what to do, in which database, and on whose account.
package struct AdministrationRequest: Hashable, Sendable {
  /// What to do.
  package var operation: Administration
  /// The database in which it is done.
  package var database: DatabaseID
  /// The account, and the device, to which changes are attributed.
  package var caller: Caller

  /// A request for that operation in that database, on the account of that caller.
  package init(_ operation: Administration, in database: DatabaseID, from caller: Caller) {
    self.operation = operation
    self.database = database
    self.caller = caller
  }

  /// The body that reads as this request.
  package var json: JSON {
    let place = [
      JSON.Member("container", .string(database.container.text)),
      JSON.Member("environment", .string(database.environment.rawValue)),
      JSON.Member("scope", .string(database.scope.rawValue)), JSON.Member("user", .string(caller.user.text)),
    ]
    let device = caller.deviceID.map { [JSON.Member("device", .string($0))] } ?? []
    return .object(operation.members + place + device)
  }

  /// The request that a JSON text holds, as `{"do":"purgeZone","zone":"Notes","container":…,"user":…}`.
  package init(parsing body: [UInt8]) throws(ControlReadingError) {
    let places = ["container", "environment", "scope", "user", "device"]
    let members = try JSONMembers(
      JSON(controlling: body), at: "administration", known: Administration.keys + places)
    guard let scope = DatabaseScope(rawValue: try members.text("scope") ?? "private") else {
      throw members.wrong("scope", "must be private, shared or public")
    }
    caller = Caller(
      user: Name(try members.required("user", "the name of an account")), deviceID: try members.text("device"))
    database = DatabaseID(
      container: Name(try members.required("container", "the name of a container")),
      environment: try Self.environment(members), user: caller.user, scope: scope)
    operation = try Administration(members)
  }

  private static func environment(_ members: JSONMembers) throws(ControlReadingError) -> Environment {
    guard let name = try members.text("environment") else { return .development }
    guard let environment = Environment(rawValue: name) else {
      throw members.wrong("environment", "must be \(Environment.allNames)")
    }
    return environment
  }
}
