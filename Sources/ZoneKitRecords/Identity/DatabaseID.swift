/// Names one database of the cloud: a container, its environment, the user it belongs to, and the scope.
public struct DatabaseID: Hashable, Comparable, Sendable {
  /// The container, for example `iCloud.com.example.nannyandme`.
  public var container: Name
  /// The container's environment.
  public var environment: Environment
  /// The account the database belongs to; `publicUser` for the public one.
  public var user: Name
  /// Private, shared or public.
  public var scope: DatabaseScope

  /// The owner under which the one public database of a container is kept.
  public static let publicUser: Name = "_public"

  /// The database of that user (of everybody, where the scope is public).
  public init(container: Name, environment: Environment, user: Name, scope: DatabaseScope) {
    self.container = container
    self.environment = environment
    self.user = scope == .public ? Self.publicUser : user
    self.scope = scope
  }

  /// Orders databases by container, environment, user, scope.
  public static func < (first: DatabaseID, second: DatabaseID) -> Bool {
    (first.container, first.environment, first.user, first.scope.rawValue)
      < (second.container, second.environment, second.user, second.scope.rawValue)
  }
}

extension DatabaseID {
  /// The parts of the name as members of a JSON object, for reports.
  public var members: [JSON.Member] {
    [
      JSON.Member("container", .string(container.text)), JSON.Member("environment", .string(environment.rawValue)),
      JSON.Member("user", .string(user.text)), JSON.Member("scope", .string(scope.rawValue)),
    ]
  }
}
