import ZoneKitRecords

/// Why a request to the accounts is refused, with the vendor's codes.
package struct AccountError: Error, Hashable, Sendable {
  /// The vendor's codes. Clients compare their texts.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    case invalidCredentials = "invalid_credentials"
    case refreshTokenNotFound = "refresh_token_not_found"
    case refreshTokenAlreadyUsed = "refresh_token_already_used"
    case sessionNotFound = "session_not_found"
    case noAuthorization = "no_authorization"
    case badJWT = "bad_jwt"
    case notAdmin = "not_admin"
    case userAlreadyExists = "user_already_exists"
    case userNotFound = "user_not_found"
    case validationFailed = "validation_failed"
    case weakPassword = "weak_password"
    case badJSON = "bad_json"
    case anonymousProviderDisabled = "anonymous_provider_disabled"
    case overRequestRateLimit = "over_request_rate_limit"
    case notFound = "not_found"
    case unexpectedFailure = "unexpected_failure"
  }

  /// The kind of the error.
  package var code: Code
  /// What is wrong, as a sentence.
  package var message: String
  /// The time in seconds after which the request may succeed; nil if it will not by itself.
  package var retryAfter: Int?
  /// The answer that a fault gives, whose status and code may be others than those of any kind; nil for a real error.
  package var refusal: ServiceRefusal?

  /// An error.
  package init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }

  /// The error that a fault causes.
  package init(_ refusal: ServiceRefusal) {
    let wait = refusal.retryAfter ?? (refusal.status == 503 ? 2 : nil)
    self.init(Code(rawValue: refusal.code) ?? .unexpectedFailure, refusal.message, retryAfter: wait)
    self.refusal = refusal
  }

  /// The code in the answer.
  package var word: String { refusal?.code ?? code.rawValue }

  /// The e-mail address or the password is wrong. Which of them is not said.
  package static let wrongCredentials = AccountError(.invalidCredentials, "Invalid login credentials")
  /// The refresh token belongs to no session.
  package static let unknownRefreshToken = AccountError(
    .refreshTokenNotFound, "Invalid Refresh Token: Refresh Token Not Found")
  /// The refresh token was replaced by another one.
  package static let usedRefreshToken = AccountError(
    .refreshTokenAlreadyUsed, "Invalid Refresh Token: Already Used")
  /// The session of the access token ended.
  package static let endedSession = AccountError(
    .sessionNotFound, "Session from session_id claim in JWT does not exist")
  /// The request has no access token.
  package static let noBearer = AccountError(.noAuthorization, "This endpoint requires a valid Bearer token")
  /// The request needs the service key.
  package static let noAdmin = AccountError(.notAdmin, "User not allowed")
  /// Another account has the e-mail address.
  package static let emailTaken = AccountError(.userAlreadyExists, "User already registered")
  /// Another account has the identifier.
  package static let identifierTaken = AccountError(.userAlreadyExists, "Another account has that identifier")
  /// The text is not an e-mail address.
  package static let noEmail = AccountError(
    .validationFailed, "Unable to validate email address: invalid format")
  /// The password has a length that is not allowed.
  package static let passwordLength = AccountError(.weakPassword, "Password should be 6 to 72 characters.")
  /// There is no account with that identifier.
  package static let unknownAccount = AccountError(.userNotFound, "User not found")

  /// The access token is not accepted.
  package static func badToken(_ problem: TokenProblem) -> AccountError {
    AccountError(.badJWT, "invalid JWT: \(problem.text)")
  }

  /// The store cannot be read or written.
  package static func unavailable(_ error: StoreError) -> AccountError {
    AccountError(.unexpectedFailure, "the accounts cannot be read or written: \(error.message)", retryAfter: 2)
  }
}
