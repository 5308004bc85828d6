import ZoneKitRecords

/// Which databases an endpoint wants to hear of: a user's, in one container and environment, or wherever nil stands.
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

  /// The four audiences that a database's changes are for.
  static func all(of database: DatabaseID) -> [Audience] {
    [
      Audience(user: database.user, container: database.container, environment: database.environment),
      Audience(user: database.user, container: database.container, environment: nil),
      Audience(user: database.user, container: nil, environment: database.environment),
      Audience(user: database.user, container: nil, environment: nil),
    ]
  }

  /// Whether both are about the same container and environment; their users may differ.
  func isSamePlace(as other: Audience) -> Bool { container == other.container && environment == other.environment }
}
