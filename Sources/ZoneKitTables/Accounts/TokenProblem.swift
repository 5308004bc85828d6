/// Why a token is not accepted.
package enum TokenProblem: Error, Hashable, Sendable {
  /// The text is not a token of the expected form. The sentence says what is wrong.
  case malformed(String)
  /// The signature is not that of this server.
  case signature
  /// The token ended that many seconds ago.
  case expired(seconds: Int64)
  /// The claims are not acceptable. The sentence says why.
  case claims(String)
  /// The account does not exist, because it was removed.
  case unknownAccount

  /// The problem as a part of a sentence.
  package var text: String {
    switch self {
    case .malformed(let reason): "token is malformed: \(reason)"
    case .signature: "token signature is invalid"
    case .expired: "token is expired"
    case .claims(let reason): "token has invalid claims: \(reason)"
    case .unknownAccount: "User from sub claim in JWT does not exist"
    }
  }
}
