/// Names the owner of a zone: the user who asks, or another user.
///
/// A client may spell itself in four ways (CloudKit Web Services, b.1): it leaves the owner out, it writes one of two
/// placeholders, or it writes its own user record name. `init(recordName:)` reads the placeholders and `resolved(for:)` the
/// record name, so that code behind the edge compares two cases.
public enum ZoneOwner: Hashable, Comparable, Sendable {
  /// The user who asks.
  case caller
  /// The user with that user record name.
  case user(Name)

  /// The placeholder that ZoneKit writes for the caller.
  public static let placeholder: Name = "_defaultOwner"

  /// Reads an owner's name: an empty name and the two placeholders mean the caller.
  public init(recordName: Name) {
    switch recordName.text {
    case "", Self.placeholder.text, "__defaultOwner__": self = .caller
    default: self = .user(recordName)
    }
  }

  /// The owner's user record name; the placeholder where it is the caller.
  public var recordName: Name {
    switch self {
    case .caller: Self.placeholder
    case .user(let name): name
    }
  }

  /// The same owner as the user with that record name sees it: `caller` where both are one user.
  public func resolved(for userRecordName: Name) -> ZoneOwner { self == .user(userRecordName) ? .caller : self }

  /// The owner's user record name, where the caller's is that one.
  package func recordName(callerIs userRecordName: Name) -> Name {
    switch self {
    case .caller: userRecordName
    case .user(let name): name
    }
  }

  /// Orders owners by the bytes of `recordName`.
  public static func < (first: ZoneOwner, second: ZoneOwner) -> Bool { first.recordName < second.recordName }
}
