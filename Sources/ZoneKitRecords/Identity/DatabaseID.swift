/// The ID of a database in the cloud: a container, its environment, a user and a scope.
public struct DatabaseID: Hashable, Comparable, Sendable {
  /// The container, for example `iCloud.com.example.nannyandme`.
  public var container: Name
  /// The container's environment.
  public var environment: Environment
  /// The account to which the database belongs; `publicUser` for the public one.
  public var user: Name
  /// The scope: private, shared or public.
  public var scope: DatabaseScope

  /// The user of the single public database of a container.
  public static let publicUser: Name = "_public"

  /// The database of that user. For the public scope the user is ignored.
  public init(container: Name, environment: Environment, user: Name, scope: DatabaseScope) {
    self.container = container
    self.environment = environment
    self.user = scope == .public ? Self.publicUser : user
    self.scope = scope
  }

  /// Hashes the user. Databases of one user in several containers are rare, and each request looks for its database many
  /// times.
  public func hash(into hasher: inout Hasher) { hasher.combine(user) }

  /// Orders databases by container, environment, user, scope.
  public static func < (first: DatabaseID, second: DatabaseID) -> Bool {
    (first.container, first.environment, first.user, first.scope.rawValue)
      < (second.container, second.environment, second.user, second.scope.rawValue)
  }
}

extension DatabaseID {
  /// The parts of the ID as members of a JSON object.
  public var members: [JSON.Member] {
    [
      JSON.Member("container", .string(container.text)), JSON.Member("environment", .string(environment.rawValue)),
      JSON.Member("user", .string(user.text)), JSON.Member("scope", .string(scope.rawValue)),
    ]
  }
}
