import ZoneKitRecords

extension PushRegistration {
  /// Whether a cloud has created the token. The tokens of native devices come from elsewhere.
  package var isOfCreatedToken: Bool { CreatedToken(token) != nil }
}

/// A push token that a cloud has created. Its text shows that, and for which account: 16 random bytes, a hash of these,
/// and a hash of all that and the account.
///
/// A token of another origin, such as that of a native app, shows nothing.
struct CreatedToken {
  private static var randomLength: Int { 16 }

  /// The bytes before the hash with the account.
  private let beginning: [UInt8]
  private let ending: [UInt8]

  /// A new token for an account.
  init(for account: DatabaseID, using generator: inout some RandomNumberGenerator) {
    let random = RandomIdentifier.bytes(Self.randomLength, using: &generator)
    beginning = random + Fingerprint.of(random)
    ending = Self.ending(beginning, account)
  }

  /// The token with that text; nil if no cloud has created it.
  init?(_ text: String) {
    guard let bytes = Base64.decode(text), bytes.count == Self.randomLength + 16,
      Array(bytes[16..<24]) == Fingerprint.of(bytes[..<Self.randomLength])
    else { return nil }
    beginning = Array(bytes[..<24])
    ending = Array(bytes[24...])
  }

  /// The text of the token.
  var text: String { Base64.encode(beginning + ending) }

  /// Whether the token was created for that account.
  func belongs(to account: DatabaseID) -> Bool { ending == Self.ending(beginning, account) }

  private static func ending(_ beginning: [UInt8], _ account: DatabaseID) -> [UInt8] {
    // A zero separates the texts.
    let texts = [account.container.text, account.environment.rawValue, account.user.text]
    return Fingerprint.of(beginning + texts.flatMap { Array($0.utf8) + [0] })
  }
}
