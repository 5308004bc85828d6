/// The owner of a zone: the caller of a request, or another user.
///
/// A client can name itself in four ways (CloudKit Web Services, b.1): without an owner, with one of two placeholders,
/// or with its own user record name. `init(recordName:)` converts the placeholders and `resolved(for:)` the record
/// name, so that other code has to compare two cases only.
public enum ZoneOwner: Hashable, Comparable, Sendable {
  /// The user who sends the request.
  case caller
  /// The user with that user record name.
  case user(Name)

  /// The placeholder that ZoneKit writes for the caller.
  public static let placeholder: Name = "_defaultOwner"

  /// Converts an owner's name. An empty name and the two placeholders mean the caller.
  public init(recordName: Name) {
    switch recordName.text {
    case "", Self.placeholder.text, "__defaultOwner__": self = .caller
    default: self = .user(recordName)
    }
  }

  /// The owner's user record name; the placeholder for the caller.
  public var recordName: Name {
    switch self {
    case .caller: Self.placeholder
    case .user(let name): name
    }
  }

  /// The same owner from the view of the user with that record name: `caller` if both are the same user.
  public func resolved(for userRecordName: Name) -> ZoneOwner { self == .user(userRecordName) ? .caller : self }

  /// The owner's user record name, given that of the caller.
  package func recordName(callerIs userRecordName: Name) -> Name {
    switch self {
    case .caller: userRecordName
    case .user(let name): name
    }
  }

  /// Orders owners by the bytes of `recordName`.
  public static func < (first: ZoneOwner, second: ZoneOwner) -> Bool { first.recordName < second.recordName }
}
