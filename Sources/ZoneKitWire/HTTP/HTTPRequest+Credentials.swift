extension HTTPRequest {
  /// The fields and the items of a query that say who sends a request. Which of two counts would depend on the program
  /// that reads it.
  private static let credentialFields = [
    "Authorization", "apikey", DocumentAccess.keyField, RequestSignature.keyField, RequestSignature.dateField,
    RequestSignature.signatureField,
  ]
  private static let credentialItems = ["apikey", "ckAPIToken", "ckWebAuthToken", "ckSession"]

  /// The name of a credential that the request has twice; nil if there is none.
  package var repeatedCredential: String? {
    for name in Self.credentialFields where fields.isRepeated(name) { return name }
    guard let query, query.utf8.contains(UInt8(ascii: "&")) else { return nil }
    var seen = 0
    for item in query.utf8.split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      guard name.count < 100, let decoded = HTTPPercent.decode(name),
        let index = Self.credentialItems.firstIndex(of: decoded)
      else { continue }
      guard seen & (1 << index) == 0 else { return decoded }
      seen |= 1 << index
    }
    return nil
  }
}
