import ZoneKitRecords

/// The databases of which an endpoint gets the changes: those of a user in one container and environment. A property
/// that is nil matches any value.
struct Audience: Hashable {
  var user: Name
  var container: Name?
  var environment: Environment?

  init(user: Name, container: Name?, environment: Environment?) {
    self.user = user
    self.container = container
    self.environment = environment
  }

  init(_ account: PushGateway.Account) {
    self.init(user: account.user, container: account.container, environment: account.environment)
  }

  /// The four audiences that include a database.
  static func all(of database: DatabaseID) -> [Audience] {
    [
      Audience(user: database.user, container: database.container, environment: database.environment),
      Audience(user: database.user, container: database.container, environment: nil),
      Audience(user: database.user, container: nil, environment: database.environment),
      Audience(user: database.user, container: nil, environment: nil),
    ]
  }
}
