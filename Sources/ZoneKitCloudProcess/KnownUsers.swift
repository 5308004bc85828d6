import ZoneKitCloud
import ZoneKitRecords

/// The users that the process has entered into the directories of their containers, so that a request of a user whom it
/// has met costs neither a read nor a write.
struct KnownUsers {
  /// The users with credentials of the server. They are in the directory of every container that somebody uses.
  private var registered: [DirectoryUser] = []
  private var met = BoundedCache<Meeting, Bool>(limit: Self.limit)

  /// The most meetings that are remembered; of others the directory is read again.
  private static let limit = 1 << 16

  /// What the process met first.
  private struct Meeting: Hashable, Sendable {
    let container: Name
    let environment: Environment
    let subject: Subject

    enum Subject: Hashable, Sendable {
      case container
      case publicDatabase
      case schema
      case user(Name)
    }

    init(_ subject: Subject, near database: DatabaseID) {
      (container, environment) = (database.container, database.environment)
      self.subject = subject
    }
  }

  /// Sets the users with credentials. All are entered again with the next request to their container, in case of a change.
  mutating func register(_ users: [DirectoryUser]) {
    registered = users
    met = BoundedCache(limit: Self.limit)
  }

  /// The users to enter because of a request to a database; empty if all are known. The account is nil if the request
  /// has none.
  mutating func newcomers(_ account: Name?, in database: DatabaseID) -> [DirectoryUser] {
    guard let account, isFirst(.user(account), near: database) else { return [] }
    let others = isFirst(.container, near: database) ? registered : []
    if others.contains(where: { $0.account == account }) { return others }
    return others + [registered.first { $0.account == account } ?? DirectoryUser(account: account)]
  }

  /// Whether a request to a database is the first one to its public database.
  mutating func opens(_ database: DatabaseID) -> Bool {
    database.scope == .public && isFirst(.publicDatabase, near: database)
  }

  /// Whether a request to a database is the first one to its container and environment.
  mutating func isFirst(to database: DatabaseID) -> Bool { isFirst(.schema, near: database) }

  /// Those users could not be entered. They are tried again.
  mutating func forget(_ users: [Name], in database: DatabaseID) {
    for subject in users.map(Meeting.Subject.user) + [.container, .publicDatabase] {
      met.forget(Meeting(subject, near: database))
    }
  }

  private mutating func isFirst(_ subject: Meeting.Subject, near database: DatabaseID) -> Bool {
    let meeting = Meeting(subject, near: database)
    guard met[meeting] == nil else { return false }
    met.keep(true, for: meeting, size: 1)
    return true
  }
}
