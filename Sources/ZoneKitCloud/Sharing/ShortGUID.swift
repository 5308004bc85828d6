import ZoneKitRecords

/// The short GUID of a share: whose it is, and a secret that nobody guesses. It is opaque for clients.
struct ShortGUID: Hashable {
  /// The owner's user record name: `_` and 32 hexadecimal digits.
  let owner: Name
  /// 16 hexadecimal digits.
  let secret: String

  init(owner: Name, secret: String) {
    self.owner = owner
    self.secret = secret
  }

  /// Reads a text; nil if it is not one of this cloud.
  init?(_ text: String) {
    guard text.utf8.count == 49, text.utf8.first == UInt8(ascii: "0") else { return nil }
    let digits = text.utf8.dropFirst()
    guard
      digits.allSatisfy({
        $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "F")
      })
    else { return nil }
    let hexadecimal = String(Substring(digits))
    self.init(owner: Name("_" + hexadecimal.prefix(32).lowercased()), secret: String(hexadecimal.suffix(16)))
  }

  /// The text.
  var text: String { "0" + owner.text.dropFirst().uppercased() + secret }
}
