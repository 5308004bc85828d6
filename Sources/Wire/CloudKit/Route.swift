import Records

/// Where a request goes: the parts of `/database/1/{container}/{environment}/{database}/{operation}` (CloudKit Web
/// Services, a.0).
package struct Route: Hashable, Sendable {
  /// The container.
  package var container: Name
  /// `development` or `production`.
  package var environment: Name
  /// The kind of database; private for the token operations, whose path names none.
  package var scope: DatabaseScope
  /// What is asked.
  package var endpoint: Endpoint

  /// Reads a path as it stands in the request line, still percent-encoded.
  package init(method: String, path: String) throws(RequestFailure) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    guard parts.count >= 4, parts[0] == "database" || parts[0] == "device", parts[1] == "1" else {
      throw .notFound("could not find handler for endpoint \(path)")
    }
    guard let container = HTTPPercent.decode(parts[2]), !container.isEmpty,
      container.utf8.count <= Name.lengthLimit
    else { throw .badRequest("the path needs a container of 1 to \(Name.lengthLimit) bytes of UTF-8 after /1/") }
    guard parts[3] == "development" || parts[3] == "production" else {
      throw .badRequest("the environment must be development or production, not \(parts[3])")
    }
    self.container = Name(container)
    environment = Name(parts[3])
    (scope, endpoint) = try Self.operation(parts.dropFirst(4), under: parts[0], path: path)
    guard endpoint.methods.contains(method) else { throw .methodNotAllowed(endpoint.methods) }
  }

  /// The token operations stand under `/device/` without a database; clients also ask for them under `/database/`, with
  /// and without one (CloudKit Web Services, i.2).
  private static func operation(
    _ rest: ArraySlice<String>, under root: String, path: String
  ) throws(RequestFailure) -> (DatabaseScope, Endpoint) {
    let whole = rest.joined(separator: "/")
    if let endpoint = Endpoint(rawValue: whole), endpoint == .tokensCreate || endpoint == .tokensRegister {
      return (.private, endpoint)
    }
    guard root == "database", let first = rest.first, let scope = DatabaseScope(rawValue: first) else {
      throw .notFound("could not find handler for endpoint \(path)")
    }
    let operation = rest.dropFirst().joined(separator: "/")
    guard let endpoint = Endpoint(rawValue: operation) else {
      let isKnown = Endpoint.notServed.contains(operation)
      throw .notFound(
        isKnown ? "\(operation) is not served by this version" : "could not find handler for endpoint \(path)")
    }
    return (scope, endpoint)
  }
}
