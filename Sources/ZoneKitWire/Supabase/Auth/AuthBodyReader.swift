import ZoneKitRecords
import ZoneKitTables

/// Reads the queries and bodies of requests under `/auth/v1`. Unknown members and items are ignored.
struct AuthBodyReader {
  /// The number of accounts on a page unless the request says another one.
  private static let usualPage = 50

  private let request: HTTPRequest

  init(_ request: HTTPRequest) { self.request = request }

  /// The request for a session.
  func grant() throws(AccountError) -> AccountRequest {
    let grant = try query("grant_type") ?? ""
    switch grant {
    case "password":
      let body = try object()
      // Nobody has a phone number, so it is no account's address.
      let phone = try text("phone", of: body)
      guard let email = try text("email", of: body) ?? phone else {
        throw AccountError(.validationFailed, "missing email or phone")
      }
      return .signIn(email: email, password: try text("password", of: body) ?? "")
    case "refresh_token":
      guard let token = try text("refresh_token", of: object()) else {
        throw AccountError(.validationFailed, "missing refresh_token")
      }
      return .refresh(token: token)
    default:
      throw AccountError(
        .validationFailed, "the grant_type \(grant) is not served; there are password and refresh_token")
    }
  }

  /// The request for an account.
  func signUp() throws(AccountError) -> AccountRequest {
    let body = try object()
    guard let email = try text("email", of: body), !email.isEmpty else {
      guard try text("phone", of: body) == nil else {
        throw AccountError(.validationFailed, "sign-up with a phone number is not served; give an email")
      }
      throw AccountError(.anonymousProviderDisabled, "Anonymous sign-ins are disabled")
    }
    guard let password = try text("password", of: body) else {
      throw AccountError(.validationFailed, "Signup requires a valid password")
    }
    return .signUp(email: email, password: password, metadata: try members("data", of: body))
  }

  /// The changes of an account. `metadata` is the name of the member with the app's own data.
  func edit(metadata: String) throws(AccountError) -> AccountEdit {
    let body = try object()
    return AccountEdit(
      email: try text("email", of: body), password: try text("password", of: body),
      metadata: try members(metadata, of: body))
  }

  /// The sessions that a sign-out ends: all of them unless the request says otherwise.
  func scope() throws(AccountError) -> SignOutScope {
    guard let text = try query("scope") else { return .global }
    guard let scope = SignOutScope(rawValue: text) else {
      throw AccountError(.validationFailed, "the scope must be global, local or others, not \(text)")
    }
    return scope
  }

  /// The request for a page of accounts.
  func page() throws(AccountError) -> AccountRequest {
    .list(
      page: try query("page").flatMap { Int($0) } ?? 1,
      size: try query("per_page").flatMap { Int($0) } ?? Self.usualPage)
  }

  // MARK: Parts

  private func query(_ name: String) throws(AccountError) -> String? {
    do throws(HTTPError) {
      return try request.queryItems()[name]
    } catch {
      throw AccountError(.validationFailed, error.reason)
    }
  }

  private func object() throws(AccountError) -> JSON {
    let body: JSON
    do throws(JSONError) {
      body = try JSON(exactly: request.body)
    } catch {
      throw AccountError(.badJSON, "Could not parse request body as JSON: \(error)")
    }
    guard body.object != nil else {
      throw AccountError(.badJSON, "the request body must be a JSON object, and is \(body.kind)")
    }
    return body
  }

  private func text(_ key: String, of body: JSON) throws(AccountError) -> String? {
    guard let value = body.member(key) else { return nil }
    guard let text = value.string else {
      throw AccountError(.validationFailed, "\(key) must be a string, and is \(value.kind)")
    }
    return text
  }

  private func members(_ key: String, of body: JSON) throws(AccountError) -> [JSON.Member] {
    guard let value = body.member(key) else { return [] }
    guard let members = value.object else {
      throw AccountError(.validationFailed, "\(key) must be an object, and is \(value.kind)")
    }
    return members
  }
}
