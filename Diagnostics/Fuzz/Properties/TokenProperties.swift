import ZoneKitRecords

@testable import ZoneKitCloud
@testable import ZoneKitWire

/// Tokens: a text is read only if a cloud has made it, and then it is the text that the cloud makes of what was read. Any content
/// is read or refused, also with the right hash before it.
enum TokenProperties {
  private static let database = DatabaseID(container: "c", environment: .development, user: "u", scope: .private)
  private static let query = Array("{\"recordType\":\"T\"}".utf8)
  private static let kinds: [FeedToken.Kind] = [.zone, .zoneReversed, .database, .zoneFirst]

  /// Checks the properties for bytes as the text of a token, as the content of one, and as numbers in one.
  static func check(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    try checkText(text)
    try checkText(Base64.encode(bytes))
    try checkText(Base64.encodeForURL(bytes))
    try checkMarker(Base64.encode(Fingerprint.of(query + bytes) + bytes))
    if let json = try? JSON(parsing: bytes) {
      try checkText(SealedText(json, for: database).text)
      _ = CloudQuery(json)
    }
    try checkFeed(bytes)
  }

  private static func checkText(_ text: String) throws {
    for kind in kinds {
      guard let token = try? FeedToken.read(ChangeToken(text), as: [kind]) else { continue }
      try Violation.unless(token.changeToken.text == text, "\(text) is read as \(token)")
    }
    try checkMarker(text)
    if let token = UploadToken(text) {
      try Violation.unless(UploadToken(token.text) == token, "\(text) is read as \(token)")
    }
    if let sealed = SealedText(text) {
      try Violation.unless(sealed.text == text, "\(text) is read as \(sealed.document)")
      _ = AssetReceipt.checksum(of: text)
    }
    if let token = CreatedToken(text) { try Violation.unless(token.text == text, "\(text) is read as \(token.text)") }
    if let ticket = SignInTicket(text) {
      try Violation.unless(SignInTicket(ticket.text) == ticket, "\(text) is read as \(ticket)")
    }
    if let token = MetaToken.databaseToken(text) {
      try Violation.unless(MetaToken.text(of: token) == text, "\(text) is read as \(token)")
    }
  }

  private static func checkMarker(_ text: String) throws {
    guard let marker = try? ContinuationMarker(text, of: query) else { return }
    let again = try ContinuationMarker(marker.text(of: query), of: query)
    try Violation.unless(again == marker, "the marker \(marker) is read as \(again)")
    let other = try? ContinuationMarker(marker.text(of: query), of: query + [0])
    try Violation.unless(other == nil, "the marker \(marker) is taken for another query")
  }

  /// A token of these numbers, and the same with one bit changed.
  private static func checkFeed(_ bytes: [UInt8]) throws {
    guard bytes.count >= 26 else { return }
    func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    let kind = kinds[Int(bytes[0]) % kinds.count]
    let start = kind == .zoneFirst ? Int64(bitPattern: number(18)) : 0
    let token = FeedToken(kind: kind, identity: number(2), position: Int64(bitPattern: number(10)), start: start)
    let text = token.changeToken.text
    let again = try FeedToken.read(ChangeToken(text), as: kinds)
    try Violation.unless(again == token, "the token \(token) is read as \(String(describing: again))")
    guard var changed = Base64.decode(text) else { throw Violation("\(text) is no base64") }
    changed[Int(bytes[1]) % changed.count] ^= 1 << (bytes[25] & 7)
    let other = try? FeedToken.read(ChangeToken(Base64.encode(changed)), as: kinds)
    try Violation.unless(other == nil, "a changed token is read as \(String(describing: other))")
  }
}
