/// The kind of a database in a container (CloudKit Web Services, a.0).
public enum DatabaseScope: String, CaseIterable, Hashable, Sendable {
  /// A database for each user, with the user's own zones.
  case `private`
  /// A database for each user, with zones that others share with the user.
  case shared
  /// One database for all users of the container.
  case `public`
}
