import ZoneKitRecords
import ZoneKitCloud

/// The part of the cloud to which a file belongs, as the file itself holds it. A file that was moved to another user,
/// container or environment is recognized by it.
package struct FileOrigin: Hashable, Sendable {
  /// The container.
  package let container: Name
  /// The environment.
  package let environment: Environment
  /// The database of the container; nil for a file that belongs to all of its users.
  package let database: Database?

  /// A database of a container.
  package struct Database: Hashable, Sendable {
    /// The user that it belongs to.
    package let user: Name
    /// The scope.
    package let scope: DatabaseScope
  }

  /// The origin of the files of a database.
  package init(_ id: DatabaseID) {
    container = id.container
    environment = id.environment
    database = Database(user: id.user, scope: id.scope)
  }

  /// The origin of the files that all users of a container share.
  package init(container: Name, environment: Environment) {
    self.container = container
    self.environment = environment
    database = nil
  }

  /// The origin with these values; nil if the environment or the scope is unknown.
  init?(container: Name, environment: String, user: Name?, scope: String?) {
    guard let environment = Environment(rawValue: environment) else { return nil }
    self.container = container
    self.environment = environment
    guard let user else {
      database = nil
      return
    }
    guard let scope = scope.flatMap({ DatabaseScope(rawValue: $0) }) else { return nil }
    database = Database(user: user, scope: scope)
  }

  /// The database; nil for a file that belongs to all users of a container.
  package var databaseID: DatabaseID? {
    database.map {
      DatabaseID(container: container, environment: environment, user: $0.user, scope: $0.scope)
    }
  }

  /// The table that holds the origin.
  static let table = """
    CREATE TABLE origin(
      id INTEGER PRIMARY KEY CHECK (id = 1), container TEXT NOT NULL, environment TEXT NOT NULL, user TEXT, scope TEXT)
      STRICT
    """
}

extension FileOrigin: CustomStringConvertible {
  /// The words of messages, for example `the private database of nanny in C (development)`.
  package var description: String {
    let place = "\(container) (\(environment))"
    return database.map { "the \($0.scope) database of \($0.user) in \(place)" } ?? place
  }
}
