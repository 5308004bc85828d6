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

  /// The four audiences that include the databases of a user in a container and environment.
  static func all(of user: Name, in container: Name, _ environment: Environment) -> [Audience] {
    [
      Audience(user: user, container: container, environment: environment),
      Audience(user: user, container: container, environment: nil),
      Audience(user: user, container: nil, environment: environment),
      Audience(user: user, container: nil, environment: nil),
    ]
  }
}
