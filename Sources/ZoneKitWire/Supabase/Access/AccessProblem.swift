import ZoneKitRecords
import ZoneKitTables

/// Why a request to a Supabase-style service is refused before it is read.
package enum AccessProblem: Error, Hashable, Sendable {
  /// The request has no key.
  case noKey
  /// The key is not one of this server.
  case wrongKey
  /// The token of the user is not accepted.
  case token(TokenProblem)
  /// The accounts cannot be read, so nobody knows whether the sender's is there.
  case unavailable(StoreError)

  /// What is wrong, as a sentence.
  package var sentence: String {
    switch self {
    case .noKey: "No API key found in request"
    case .wrongKey: "Invalid API key"
    case .token(let problem): "Invalid JWT: \(problem.text)"
    case .unavailable(let error): "the accounts cannot be read: \(error)"
    }
  }

  /// The reply of that part. The parts for keys have one form, because with the vendor a gateway before them checks
  /// the keys.
  package func reply(in part: SupabasePart) -> HTTPReply {
    switch self {
    case .noKey:
      return Self.keyReply(sentence, hint: "No `apikey` request header or url param was found.")
    case .wrongKey:
      return Self.keyReply(
        "Invalid API key", hint: "Double check your Supabase `anon` or `service_role` API key.")
    case .unavailable:
      var reply = HTTPReply.refusal(HTTPError(status: 503, reason: sentence))
      reply.fields.append(HTTPField("Retry-After", "2"))
      return reply
    case .token(let problem):
      switch part {
      case .rest: return Self.rowReply(problem)
      case .storage:
        return HTTPReply(
          ["statusCode": "403", "error": "Unauthorized", "message": "Invalid JWT"], status: 400)
      case .auth, .realtime, .functions:
        return HTTPReply(["error": .string(sentence)], status: 401)
      }
    }
  }

  private static func keyReply(_ message: String, hint: String) -> HTTPReply {
    HTTPReply(["message": .string(message), "hint": .string(hint)], status: 401)
  }

  private static func rowReply(_ problem: TokenProblem) -> HTTPReply {
    let (code, message): (String, String)
    switch problem {
    case .expired: (code, message) = ("PGRST303", "JWT expired")
    case .malformed, .signature, .claims, .unknownAccount: (code, message) = ("PGRST301", problem.text)
    }
    let body: JSON = ["code": .string(code), "message": .string(message), "details": .null, "hint": .null]
    let challenge = "Bearer error=\"invalid_token\", error_description=\"\(message)\""
    return HTTPReply(
      status: 401,
      fields: [
        HTTPField("WWW-Authenticate", challenge), HTTPField("Proxy-Status", "PostgREST; error=\(code)"),
      ], body: body.bytes())
  }
}
