import ZoneKitRecords

/// A user of a container, with the account that stands behind the user record name.
package struct DirectoryUser: Hashable, Sendable {
  /// The account's name. The user's databases are those with it as `DatabaseID.user`.
  package var account: Name
  /// The user as others see it.
  package var identity: UserIdentity

  /// A user of that account.
  package init(
    account: Name, firstName: String? = nil, lastName: String? = nil, emailAddress: String? = nil,
    phoneNumber: String? = nil
  ) {
    self.account = account
    identity = UserIdentity(
      userRecordName: UserRecordName.of(user: account), firstName: firstName, lastName: lastName,
      emailAddress: emailAddress, phoneNumber: phoneNumber)
  }

  /// The ways to find the user besides the record name, each once.
  var contacts: [UserLookup] {
    [identity.emailAddress.map { .emailAddress($0) }, identity.phoneNumber.map { .phoneNumber($0) }].compactMap(\.self)
  }

  /// The same user with what another description adds or changes. What that does not know is kept.
  func updated(by other: DirectoryUser) -> DirectoryUser {
    var updated = self
    updated.identity.firstName = other.identity.firstName ?? identity.firstName
    updated.identity.lastName = other.identity.lastName ?? identity.lastName
    updated.identity.emailAddress = other.identity.emailAddress ?? identity.emailAddress
    updated.identity.phoneNumber = other.identity.phoneNumber ?? identity.phoneNumber
    return updated
  }
}

extension DirectoryUser {
  private static let account: Name = "account", firstName: Name = "firstName", lastName: Name = "lastName"
  private static let emailAddress: Name = "emailAddress", phoneNumber: Name = "phoneNumber"

  /// The user in a record of the directory.
  init?(_ fields: Fields) {
    guard let account = fields[Self.account]?.text else { return nil }
    self.init(
      account: Name(account), firstName: fields[Self.firstName]?.text, lastName: fields[Self.lastName]?.text,
      emailAddress: fields[Self.emailAddress]?.text, phoneNumber: fields[Self.phoneNumber]?.text)
  }

  /// The fields of the user's record in the directory.
  var fields: Fields {
    var fields = Fields()
    fields[Self.account] = .string(account.text)
    fields[Self.firstName] = identity.firstName.map { .string($0) }
    fields[Self.lastName] = identity.lastName.map { .string($0) }
    fields[Self.emailAddress] = identity.emailAddress.map { .string($0) }
    fields[Self.phoneNumber] = identity.phoneNumber.map { .string($0) }
    return fields
  }
}

extension FieldValue {
  /// The text; nil if it is not a text.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
