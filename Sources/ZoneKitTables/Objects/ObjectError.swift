import ZoneKitRecords

/// Why a request for objects is refused, with the vendor's words. Clients read the status from the body.
package struct ObjectError: Error, Hashable, Sendable {
  /// The kind of an error.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case notFound = "not_found"
    case noBucket = "Bucket not found"
    case duplicate = "Duplicate"
    case tooLarge = "Payload too large"
    case mediaType = "invalid_mime_type"
    case path = "InvalidKey"
    case request = "InvalidRequest"
    case notAllowed = "Unauthorized"
    case range = "InvalidRange"
    case store = "DatabaseError"

    /// The status in the body of the answer.
    package var statusCode: Int {
      switch self {
      case .notFound, .noBucket: 404
      case .duplicate: 409
      case .tooLarge: 413
      case .mediaType: 415
      case .path, .request: 400
      case .notAllowed: 403
      case .range: 416
      case .store: 503
      }
    }
  }

  /// The kind.
  package var kind: Kind
  /// A sentence for people.
  package var message: String
  /// The answer that a fault gives, whose status and code may be others than those of any kind; nil for a real error.
  package var refusal: ServiceRefusal?

  /// An error with that sentence.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The error that a fault causes.
  package init(_ refusal: ServiceRefusal) {
    self.init(Kind(rawValue: refusal.code) ?? .request, refusal.message)
    self.refusal = refusal
  }

  /// There is no such object, or it belongs to another account.
  package static let notFound = ObjectError(.notFound, "Object not found")
  /// There is no such bucket.
  package static let noBucket = ObjectError(.noBucket, "Bucket not found")
  /// The path holds an object, and the request does not replace it.
  package static let duplicate = ObjectError(.duplicate, "The resource already exists")
  /// The caller may not write at the path.
  package static let notAllowed = ObjectError(.notAllowed, "new row violates row-level security policy")
  /// The token is not accepted.
  package static let invalidToken = ObjectError(.notAllowed, "Invalid JWT")

  /// The path is not one of an object.
  package static func path(_ path: String) -> ObjectError { ObjectError(.path, "Invalid key: \(path)") }

  /// Objects of that media type are not allowed.
  package static func mediaType(_ type: String) -> ObjectError {
    ObjectError(.mediaType, "mime type \(type) is not supported")
  }

  /// The store cannot be read or written.
  package static func unavailable(_ reason: String) -> ObjectError { ObjectError(.store, reason) }

  /// What a client reads in the answer.
  package var asRefusal: ServiceRefusal {
    refusal ?? ServiceRefusal(kind.statusCode, code: kind.rawValue, message)
  }
}
