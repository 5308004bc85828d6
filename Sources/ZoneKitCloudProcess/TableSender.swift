import ZoneKitRecords
import ZoneKitTables

/// Who sends a request for tables, as far as its key and its token say so. The driver verifies the signature of the token. The
/// process judges its times and whether its account is there.
package struct TableSender: Hashable, Sendable {
  /// What the key allows.
  package var key: AccountClaims.Role
  /// The claims of the token, or why it is not one of this server; nil if the request has none. A token decides over the key.
  package var token: Result<AccountClaims, TokenProblem>?
  /// The account of which faults know the names; nil for none.
  package var account: UUID?
  /// The account for which a signed link to an object stands; nil without a link.
  package var linked: UUID?
  /// The device that the request names; nil if it names none.
  package var deviceID: String?

  /// The sender that follows a link to an object of that account. The driver has verified the link.
  package init(linkOf account: UUID) {
    key = .anonymous
    linked = account
  }

  /// The sender with that key and token. Faults know it by the names of `account`, or else of the token's account.
  package init(
    _ key: AccountClaims.Role = .anonymous, token: Result<AccountClaims, TokenProblem>? = nil, account: UUID? = nil,
    deviceID: String? = nil
  ) {
    self.key = key
    self.token = token
    self.account = account ?? (try? token?.get())?.account
    self.deviceID = deviceID
  }
}

/// Why the sender of a request for tables is not known.
package enum SenderProblem: Error, Hashable, Sendable {
  /// The token is not accepted.
  case token(TokenProblem)
  /// The accounts cannot be read.
  case unavailable(StoreError)

  /// The answer to a message of that sender; nil if its kind needs no sender.
  func answer(to message: CloudMessage) -> CloudAnswer? {
    switch message {
    case .rows, .unreadableRows: .rows(.refused(rowError))
    case .relations: .relation(.failure(rowError))
    case .object: .object(.refused(objectError))
    case .function: .function(.failure(.refused(refusal)))
    case .call, .documents, .unverified, .account, .administration, .purge, .maintenance: nil
    }
  }

  private var unreadable: String {
    guard case .unavailable(let error) = self else { return "" }
    return "the accounts cannot be read: \(error)"
  }

  /// The error of a request for rows.
  package var rowError: RowError {
    switch self {
    case .token(.expired): RowError(.expiredToken, "JWT expired")
    case .token(let problem): RowError(.invalidToken, problem.text)
    case .unavailable: RowError(.storeFailed, unreadable)
    }
  }

  /// The error of a request for objects.
  package var objectError: ObjectError {
    switch self {
    case .token: .invalidToken
    case .unavailable: .unavailable(unreadable)
    }
  }

  /// The refusal of the parts whose errors are one sentence.
  package var refusal: ServiceRefusal {
    switch self {
    case .token(let problem): ServiceRefusal(401, code: "invalid_jwt", "Invalid JWT: \(problem.text)")
    case .unavailable: ServiceRefusal(503, code: "unavailable", unreadable, retryAfter: 2)
    }
  }
}
