/// The reason why a whole request cannot be read. Nothing of it is carried out.
package enum RequestFailure: Error, Hashable, Sendable {
  /// There is no such endpoint. Answered with 404 and NOT_FOUND.
  case notFound(String)
  /// The request is not valid for the endpoint. Answered with 400 and BAD_REQUEST.
  case badRequest(String)
  /// The method is wrong. Answered with 405 and an `Allow` header of these methods.
  case methodNotAllowed([String])
}
