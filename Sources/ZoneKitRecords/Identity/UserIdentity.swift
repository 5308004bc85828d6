/// A user as other users of a container see it (CloudKit Web Services, b.9).
public struct UserIdentity: Hashable, Sendable {
  /// The user's record name.
  public var userRecordName: Name
  /// The given name; nil if it is not known.
  public var firstName: String?
  /// The family name; nil if it is not known.
  public var lastName: String?
  /// The e-mail address; nil if it is not known.
  public var emailAddress: String?
  /// The phone number; nil if it is not known.
  public var phoneNumber: String?

  /// The user of that record name.
  public init(
    userRecordName: Name, firstName: String? = nil, lastName: String? = nil, emailAddress: String? = nil,
    phoneNumber: String? = nil
  ) {
    self.userRecordName = userRecordName
    self.firstName = firstName
    self.lastName = lastName
    self.emailAddress = emailAddress
    self.phoneNumber = phoneNumber
  }
}
