import ZoneKitRecords
import ZoneKitTables

/// What a request under `/auth/v1` asks for.
package enum AuthCall: Equatable, Sendable {
  /// Something of the accounts.
  case account(AccountRequest)
  /// Whether the service works.
  case health
  /// Which kinds of sign-in there are.
  case settings
  /// The public keys of access tokens. There are none, so that clients ask for the account to verify a token.
  case keySet

  /// Reads a request. Throws the error to answer with.
  package init(_ request: HTTPRequest) throws(AccountError) {
    let notServed = AccountError(.notFound, "\(request.path) is not served by this version")
    guard let segments = try? request.pathSegments(), segments.starts(with: ["auth", "v1"]) else { throw notServed }
    let path = segments.dropFirst(2).joined(separator: "/")
    let method = request.method == "HEAD" ? "GET" : request.method
    let reader = AuthBodyReader(request)
    switch (method, path) {
    case ("POST", "token"): self = .account(try reader.grant())
    case ("POST", "signup"): self = .account(try reader.signUp())
    case ("GET", "user"): self = .account(.read)
    case ("PUT", "user"): self = .account(.update(try reader.edit(metadata: "data")))
    case ("POST", "logout"): self = .account(.signOut(try reader.scope()))
    case ("GET", "health"): self = .health
    case ("GET", "settings"): self = .settings
    case ("GET", ".well-known/jwks.json"): self = .keySet
    case ("POST", "admin/users"): self = .account(.create(try reader.edit(metadata: "user_metadata")))
    case ("GET", "admin/users"): self = .account(try reader.page())
    default:
      guard segments.count == 5, segments[2] == "admin", segments[3] == "users" else { throw notServed }
      guard let id = UUID(segments[4]) else {
        throw AccountError(.validationFailed, "the user ID must be a UUID")
      }
      switch method {
      case "GET": self = .account(.find(id))
      case "PUT": self = .account(.change(id, try reader.edit(metadata: "user_metadata")))
      case "DELETE": self = .account(.remove(id))
      default: throw notServed
      }
    }
  }
}
