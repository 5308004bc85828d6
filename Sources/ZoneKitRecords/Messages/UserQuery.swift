/// A request for users (CloudKit Web Services, a.1 rows 14 to 20).
public enum UserQuery: Hashable, Sendable {
  /// Return the caller.
  case caller
  /// Return the users among these that the container knows.
  case discover([UserLookup])
  /// Return each of these users, or an error for it.
  case lookup([UserLookup])

  /// The users that the request names.
  package var lookups: [UserLookup] {
    switch self {
    case .caller: []
    case .discover(let lookups), .lookup(let lookups): lookups
    }
  }
}

/// What a client knows of a user whom it looks for.
public enum UserLookup: Hashable, Sendable {
  /// The user's record name.
  case userRecordName(Name)
  /// An e-mail address.
  case emailAddress(String)
  /// A phone number.
  case phoneNumber(String)
}

/// The result of a request for one user.
public enum UserResult: Hashable, Sendable {
  /// The user that was found.
  case user(UserIdentity, UserLookup)
  /// The container knows no such user.
  case failed(UserLookup, CloudError)
}
