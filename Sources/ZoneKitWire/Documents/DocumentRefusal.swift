import ZoneKitDocuments

/// Why a request for documents is refused before it is carried out.
package struct DocumentRefusal: Error, Hashable, Sendable {
  /// The error.
  package var error: DocumentError
  /// The methods of the path; empty unless the request has another one.
  package var allowedMethods: [String] = []

  /// A refusal with that error.
  package init(_ error: DocumentError) { self.error = error }

  /// The refusal of a request whose path has only these methods.
  static func methods(_ methods: [String]) -> DocumentRefusal {
    var refusal = DocumentRefusal(
      DocumentError(.methodNotAllowed, "this path takes \(methods.joined(separator: " and "))"))
    refusal.allowedMethods = methods + ["OPTIONS"]
    return refusal
  }
}

extension DocumentError {
  /// The error for a request that cannot be read. `path` names the place.
  static func malformed(_ path: String, _ problem: String) -> DocumentError {
    DocumentError(.malformed, "`\(path)` \(problem)", path: path)
  }
}
