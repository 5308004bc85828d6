import ZoneKitRecords

/// The signature of a request between servers, which is over its date, its raw body and its raw path (CloudKit Web Services,
/// e.3).
package struct RequestSignature: Hashable, Sendable {
  /// The name of a key.
  package var keyID: String
  /// When the request was made, as the header has it.
  package var date: String
  /// The signature in base64.
  package var signature: String
  /// The path as it is in the request line.
  package var path: String
  /// The body as it was received.
  package var body: [UInt8]

  static let keyField = "X-Apple-CloudKit-Request-KeyID"
  static let dateField = "X-Apple-CloudKit-Request-ISO8601Date"
  static let signatureField = "X-Apple-CloudKit-Request-SignatureV1"

  /// The signature of a request; nil if it has none of the header fields. A field that is missing is empty.
  package init?(_ http: HTTPRequest) {
    let fields = [Self.keyField, Self.dateField, Self.signatureField].map { http.fields[$0] }
    guard fields.contains(where: { $0 != nil }) else { return nil }
    (keyID, date, signature) = (fields[0] ?? "", fields[1] ?? "", fields[2] ?? "")
    path = http.path
    body = http.body
  }

  /// The messages of which one has to be signed. Clients sign a request without a body with the hash of nothing, or with
  /// nothing in its place (CloudKit Web Services, i.19).
  package func messages(hashing hash: ([UInt8]) -> [UInt8]) -> [[UInt8]] {
    let hashed = Base64.encode(hash(body))
    return (body.isEmpty ? [hashed, ""] : [hashed]).map { Array("\(date):\($0):\(path)".utf8) }
  }
}
