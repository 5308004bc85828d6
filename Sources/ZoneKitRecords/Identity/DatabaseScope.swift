/// One of a container's databases (CloudKit Web Services, a.0).
public enum DatabaseScope: String, CaseIterable, Hashable, Sendable {
  /// One for each user: the user's own zones.
  case `private`
  /// One for each user: zones that others share with the user.
  case shared
  /// One for all users of the container.
  case `public`
}
