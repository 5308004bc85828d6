import ZoneKitRecords
import ZoneKitTables

/// Writes the answers under `/auth/v1`. Objects have all members that any client needs, also those without a value.
package struct AuthReplyWriter {
  private let dialect: AuthDialect
  private let issuer: String
  private let tokenLife: Int64
  private let sign: (_ bytes: [UInt8]) -> [UInt8]

  /// A writer of answers in that form. `root` is the URL of the server. Access tokens are valid for `tokenLife` seconds.
  package init(
    _ dialect: AuthDialect, root: String, tokenLife: Int64, signedBy sign: @escaping (_ bytes: [UInt8]) -> [UInt8]
  ) {
    self.dialect = dialect
    issuer = root + "/auth/v1"
    self.tokenLife = tokenLife
    self.sign = sign
  }

  /// The reply for the answer to a request.
  package func reply(_ response: AccountResponse) -> HTTPReply {
    switch response {
    case .session(let grant): reply(session(grant))
    case .account(let account): reply(Self.user(account))
    case .accounts(let accounts, let total):
      reply(
        ["users": .array(accounts.map(Self.user)), "aud": "authenticated"],
        fields: [HTTPField("X-Total-Count", String(total))])
    case .signedOut: HTTPReply(status: 204, fields: versionFields)
    case .failure(let error): failure(error)
    }
  }

  /// The reply to a request that does not concern an account. `version` is that of the program.
  package func health(version: String) -> HTTPReply {
    reply(["version": .string(version), "name": "ZoneKit", "description": "accounts of a table server"])
  }

  /// The reply with the kinds of sign-in.
  package var settings: HTTPReply {
    reply([
      "external": ["email": true, "phone": false, "anonymous_users": false], "disable_signup": false,
      "mailer_autoconfirm": true, "phone_autoconfirm": false, "sms_provider": "", "saml_enabled": false,
    ])
  }

  /// The reply without public keys.
  package var keySet: HTTPReply { reply(["keys": []]) }

  // MARK: Errors

  /// The reply for an error.
  package func failure(_ error: AccountError) -> HTTPReply {
    let status = error.asRefusal.status
    let (word, message) = (JSON.string(error.word), JSON.string(error.message.errorText))
    let reasons: JSON? = error.code == .weakPassword ? ["reasons": ["length"]] : nil
    let body =
      switch dialect {
      case .dated: JSON(known: ["code": word, "message": message, "weak_password": reasons])
      case .original:
        JSON(known: [
          "code": .integer(Int64(status)), "error_code": word, "msg": message, "weak_password": reasons,
        ])
      }
    let waiting = error.retryAfter.map { [HTTPField("Retry-After", String($0))] } ?? []
    return reply(body, status: status, fields: waiting)
  }

  /// The status for an error.
  fileprivate static func status(of code: AccountError.Code) -> Int {
    switch code {
    case .invalidCredentials, .refreshTokenNotFound, .refreshTokenAlreadyUsed, .validationFailed, .badJSON: 400
    case .noAuthorization: 401
    case .sessionNotFound, .badJWT, .notAdmin: 403
    case .userNotFound, .notFound: 404
    case .userAlreadyExists, .weakPassword, .anonymousProviderDisabled: 422
    case .overRequestRateLimit: 429
    case .unexpectedFailure: 503
    }
  }

  // MARK: Values

  private func session(_ grant: SessionGrant) -> JSON {
    let issuedAt = grant.issuedAt.milliseconds / 1000
    let claims = AccountClaims(
      role: .authenticated, account: grant.account.id, session: grant.session, email: grant.account.email,
      issuedAt: issuedAt, expiresAt: issuedAt + tokenLife)
    return [
      "access_token": .string(JSONWebToken.text(of: claims, issuer: issuer, signedBy: sign)),
      "token_type": "bearer", "expires_in": .integer(tokenLife), "expires_at": .integer(claims.expiresAt),
      "refresh_token": .string(grant.refreshToken), "user": Self.user(grant.account),
    ]
  }

  static func user(_ account: Account) -> JSON {
    let createdAt = JSON.string(account.createdAt.iso8601)
    return [
      "id": .string(account.id.text), "aud": "authenticated", "role": "authenticated",
      "email": .string(account.email), "phone": "", "email_confirmed_at": createdAt, "confirmed_at": createdAt,
      "last_sign_in_at": account.lastSignInAt.map { .string($0.iso8601) } ?? .null,
      "app_metadata": ["provider": "email", "providers": ["email"]], "user_metadata": .object(account.metadata),
      "identities": [], "is_anonymous": false, "created_at": createdAt,
      "updated_at": .string(account.updatedAt.iso8601),
    ]
  }

  private var versionFields: [HTTPField] {
    dialect == .dated ? [HTTPField(AuthDialect.fieldName, AuthDialect.version)] : []
  }

  private func reply(_ document: JSON, status: Int = 200, fields: [HTTPField] = []) -> HTTPReply {
    HTTPReply(status: status, fields: versionFields + fields, body: document.bytes())
  }
}

extension AccountError {
  /// The answer as a client reads it.
  package var asRefusal: ServiceRefusal {
    let status = refusal?.status ?? AuthReplyWriter.status(of: code)
    return ServiceRefusal(status, code: word, message.errorText, retryAfter: retryAfter)
  }
}
