/// What web pages of other origins may do with a route (Fetch standard, 3.2).
package struct CrossOriginRule: Hashable, Sendable {
  /// Which origins an answer names as allowed.
  package enum Origin: Hashable, Sendable {
    /// The origin that the request names; none if it names none.
    case asking
    /// Any origin, also one that the request does not name.
    case any
  }

  /// The allowed origins.
  package var origin: Origin
  /// The methods that a page may use.
  package var methods: String
  /// The header fields that a page may send if it asks for none by name.
  package var fields: String
  /// Whether a page may send all header fields that it asks for.
  package var allowsAskedFields: Bool
  /// The header fields of answers that a page may read besides the usual ones; nil for none.
  package var exposedFields: String?

  /// The rule of CloudKit Web Services (e.4).
  package static let cloudKit = CrossOriginRule(
    origin: .asking, methods: "GET, POST, OPTIONS", fields: "Content-Type", allowsAskedFields: false)

  /// The answer to the request that a browser sends first.
  package func preflight(_ request: HTTPRequest) -> HTTPReply {
    let asked = allowsAskedFields ? request.fields["Access-Control-Request-Headers"] : nil
    return HTTPReply(
      status: 204,
      fields: [
        HTTPField("Access-Control-Allow-Methods", methods),
        HTTPField("Access-Control-Allow-Headers", asked ?? fields), HTTPField("Access-Control-Max-Age", "86400"),
      ])
  }

  /// The fields with which a page may read an answer to a request.
  package func fields(for request: HTTPRequest) -> [HTTPField] {
    let allowed: String
    switch origin {
    case .any: allowed = "*"
    case .asking:
      guard let origin = request.fields["Origin"] else { return [] }
      allowed = origin
    }
    let exposed =
      request.method == "OPTIONS" ? nil : exposedFields.map { HTTPField("Access-Control-Expose-Headers", $0) }
    return [HTTPField("Access-Control-Allow-Origin", allowed)] + (exposed.map { [$0] } ?? [])
  }
}
