import ZoneKitRecords

/// Why a request to a Supabase-style service is refused before it is read. All parts have one form of these errors, because
/// with the vendor a gateway before them checks the keys.
package enum AccessProblem: Error, Hashable, Sendable {
  /// The request has no key.
  case noKey
  /// The key is not one of this server.
  case wrongKey

  /// What is wrong, as a sentence.
  package var sentence: String {
    switch self {
    case .noKey: "No API key found in request"
    case .wrongKey: "Invalid API key"
    }
  }

  /// The reply.
  package var reply: HTTPReply {
    let hint =
      switch self {
      case .noKey: "No `apikey` request header or url param was found."
      case .wrongKey: "Double check your Supabase `anon` or `service_role` API key."
      }
    return HTTPReply(["message": .string(sentence), "hint": .string(hint)], status: 401)
  }
}
