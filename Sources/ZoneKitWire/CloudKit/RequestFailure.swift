/// Why a request cannot be read at all; nothing of it was done.
package enum RequestFailure: Error, Hashable, Sendable {
  /// No such endpoint: answered with 404 and NOT_FOUND.
  case notFound(String)
  /// The request is not what the endpoint takes: answered with 400 and BAD_REQUEST.
  case badRequest(String)
  /// Answered with 405 and an `Allow` header of these methods.
  case methodNotAllowed([String])
}
