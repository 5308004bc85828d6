import ZoneKitRecords

/// The parts of a Supabase-style service. Each has its own first path segment and its own form of errors.
package enum SupabasePart: String, CaseIterable, Hashable, Sendable {
  /// Rows of tables.
  case rest
  /// Accounts and sessions.
  case auth
  /// Changes over a WebSocket.
  case realtime
  /// Objects.
  case storage
  /// Functions.
  case functions

  /// The first path segment.
  package var root: String { rawValue }

  /// The reply to a request for something that this version does not serve, in the part's form of errors.
  package func notServed(_ request: HTTPRequest) -> HTTPReply {
    let message = JSON.string("\(request.path) is not served by this version".errorText)
    switch self {
    case .rest:
      return HTTPReply(["code": "404", "message": message, "details": .null, "hint": .null], status: 404)
    case .auth: return HTTPReply(["code": "not_found", "message": message], status: 404)
    case .storage:
      // Clients read the status from the body.
      return HTTPReply(["statusCode": "404", "error": "not_found", "message": message], status: 400)
    case .realtime, .functions: return HTTPReply(["error": message], status: 404)
    }
  }
}

extension HTTPReply {
  /// The error of the parts whose errors are one sentence. `retryAfter` is the time in seconds after which the client may
  /// ask again; nil for none.
  package static func sentence(_ status: Int, _ reason: String, retryAfter: Int? = nil) -> HTTPReply {
    let document: JSON = ["error": .string(reason.errorText)]
    return HTTPReply(
      status: status, fields: retryAfter.map { [HTTPField("Retry-After", String($0))] } ?? [], body: document.bytes())
  }
}

extension CrossOriginRule {
  /// The rule of all parts of a Supabase-style service.
  package static let supabase = CrossOriginRule(
    origin: .any, methods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    fields: "apikey, authorization, content-type, x-client-info", allowsAskedFields: true,
    exposedFields: """
      Content-Range, Preference-Applied, Location, Retry-After, ETag, X-Supabase-Api-Version, ZoneKit-Feed, \
      ZoneKit-Verdicts, ZoneKit-Feed-Earlier
      """)
}
