/// A role as a policy or a grant names it.
package enum SQLRole: Equatable, Sendable {
  /// The role of that name.
  case named(String)
  /// All roles.
  case everyone
  /// The role that runs the statement.
  case currentRole
  /// The user who runs the statement.
  case currentUser
  /// The user who signed in.
  case sessionUser
}
