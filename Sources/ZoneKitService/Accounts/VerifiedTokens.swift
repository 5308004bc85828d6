import ZoneKitRecords
import ZoneKitWire

/// The tokens whose signature was verified, by their text. Clients send the same token with each request, and to parse and
/// verify it took longer than to write a row. When a token ends is judged anew each time.
final class VerifiedTokens {
  /// The most tokens that are kept. A token has at most `JSONWebToken.lengthLimit` bytes.
  static let limit = 1_000

  private var tokens: [Name: JSONWebToken] = [:]
  /// Those before the last `limit / 2` that were added. A token that is still used moves on.
  private var older: [Name: JSONWebToken] = [:]

  /// The verified token of that text; nil if it is not known.
  func token(of text: String) -> JSONWebToken? {
    let name = Name(text)
    if let token = tokens[name] { return token }
    guard let token = older[name] else { return nil }
    add(token, text)
    return token
  }

  /// The number of tokens that are kept.
  var count: Int { tokens.count + older.count }

  /// The signature of a token is right.
  func add(_ token: JSONWebToken, _ text: String) {
    if tokens.count >= Self.limit / 2 {
      older = tokens
      tokens = [:]
    }
    tokens[Name(text)] = token
  }
}
