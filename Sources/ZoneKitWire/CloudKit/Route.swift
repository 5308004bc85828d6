import ZoneKitRecords

/// The parts of the path `/database/1/{container}/{environment}/{database}/{operation}` (CloudKit Web Services, a.0).
package struct Route: Hashable, Sendable {
  /// The container.
  package var container: Name
  /// The container's environment.
  package var environment: Environment
  /// The scope of the database; private for token operations if the path has none.
  package var scope: DatabaseScope
  /// The operation.
  package var endpoint: Endpoint

  /// Reads a path as it is in the request line, still percent-encoded.
  package init(method: String, path: String) throws(RequestFailure) {
    let slash = UInt8(ascii: "/")
    let parts = path.utf8.split(separator: slash, maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].isEmpty, String(Substring(parts[2])) == "1",
      let root = Root(rawValue: String(Substring(parts[1])))
    else { throw .unknown(path) }
    guard let container = HTTPPercent.decode(parts[3]), !container.isEmpty,
      container.utf8.count <= Name.lengthLimit
    else { throw .badRequest("the path needs a container of 1 to \(Name.lengthLimit) bytes of UTF-8 after /1/") }
    let name = String(Substring(parts[4]))
    guard let environment = Environment(rawValue: name) else {
      throw .badRequest("the environment must be \(Environment.allNames), not \(name)")
    }
    self.container = Name(container)
    self.environment = environment
    (scope, endpoint) = try Self.operation(String(Substring(parts[5])), under: root, path: path)
    guard endpoint.methods.contains(method) else { throw .methodNotAllowed(endpoint.methods) }
  }

  /// The caller's database that the path names.
  package func database(of caller: Caller) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: caller.user, scope: scope)
  }

  private enum Root: String {
    case database
    case device
  }

  /// Reads the operation. Token operations are below `/device/` without a database; clients also send them below
  /// `/database/`, with and without a database (CloudKit Web Services, i.2).
  private static func operation(
    _ rest: String, under root: Root, path: String
  ) throws(RequestFailure) -> (DatabaseScope, Endpoint) {
    let parts = rest.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard root == .database, parts.count == 2, let scope = DatabaseScope(rawValue: String(Substring(parts[0]))) else {
      guard let endpoint = Endpoint(rawValue: rest), endpoint.isAboutTokens else { throw .unknown(path) }
      return (.private, endpoint)
    }
    let operation = String(Substring(parts[1]))
    if let endpoint = Endpoint(rawValue: operation) { return (scope, endpoint) }
    throw .unknown(path)
  }
}

extension RequestFailure {
  /// The error text for an unknown path.
  fileprivate static func unknown(_ path: String) -> RequestFailure {
    .notFound("could not find handler for endpoint \(path)")
  }
}
