import ZoneKitRecords

/// The body of a request to `/zonekit/administration`: what to do, in which database, and on whose account.
package struct AdministrationRequest: Hashable, Sendable {
  /// What to do.
  package var deed: Administration
  /// The database in which it is done.
  package var database: DatabaseID
  /// The account, and the device, to which changes are attributed.
  package var caller: Caller

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
      environment: Name(try members.text("environment") ?? "development"), user: caller.user, scope: scope)
    deed = try Administration(members)
  }
}
