import ZoneKitRecords

/// The operation that a request asks for, of a fixed number. Names in a path, such as those of tables and zones, are not part
/// of it, so that clients cannot make metrics grow.
package struct RequestEndpoint: Hashable, Sendable {
  /// The protocols of a server.
  package enum Family: String, CaseIterable, Sendable {
    /// CloudKit Web Services.
    case cloudKit = "cloudkit"
    /// A Supabase-style service.
    case tables
    /// Documents over REST.
    case documents
    /// The control interface, metrics and health.
    case control
    /// What belongs to no protocol.
    case other
  }

  /// The protocol.
  package let family: Family
  /// The operation, for people who know the protocol.
  package let name: String

  /// Every endpoint. The position of one is its number.
  package static let all: [RequestEndpoint] =
    family(.cloudKit, Endpoint.allCases.map(\.rawValue) + assetOperations)
    + family(.tables, SupabasePart.allCases.map(\.rawValue) + accountOperations + rowOperations)
    + family(.documents, DocumentCall.Path.allCases.map(\.rawValue))
    + family(.control, controlRoots) + family(.other, [])

  private static let accountOperations = ["auth/token", "auth/signup", "auth/logout", "auth/user"]
  private static let assetOperations = ["asset/upload", "asset/download"]
  private static let rowOperations = ["rest/select", "rest/insert", "rest/update", "rest/delete", "rest/rpc"]
  private static let controlRoots = ["zonekit", "metrics", "health"]
  /// The name of the requests of a protocol that ask for nothing with a name.
  private static let unnamed = "other"
  /// The name of the questions that browsers ask before requests of other origins.
  private static let preflight = "preflight"

  private static func family(_ family: Family, _ names: [String]) -> [RequestEndpoint] {
    (names + [preflight, unnamed]).map { RequestEndpoint(family: family, name: $0) }
  }

  /// Whether a browser asks only whether a page of another origin may send a request.
  package var isPreflight: Bool { name == Self.preflight }

  private static let numbers: [Family: [Substring: Int]] = {
    var numbers: [Family: [Substring: Int]] = [:]
    for (number, endpoint) in all.enumerated() { numbers[endpoint.family, default: [:]][endpoint.name[...]] = number }
    return numbers
  }()

  /// The number of the endpoint that a request asks for.
  package static func number(method: String, path: String) -> Int {
    let (family, name) = operation(method, path)
    guard let numbers = numbers[family], let other = numbers[unnamed[...]] else { return all.count - 1 }
    return numbers[method == "OPTIONS" ? preflight[...] : name] ?? other
  }

  private static func operation(_ method: String, _ path: String) -> (Family, Substring) {
    let slash = UInt8(ascii: "/")
    let utf8 = path.utf8.dropFirst()
    let root = Substring(utf8.prefix { $0 != slash })
    let rest = Substring(utf8.dropFirst(root.utf8.count + 1))
    switch root {
    case "database", "device": return (.cloudKit, cloudKitOperation(in: path))
    case AssetCall.root[...]:
      return (.cloudKit, rest.hasPrefix("\(AssetCall.upload)/") ? "asset/upload" : "asset/download")
    case DocumentCall.root[...]: return (.documents, rest)
    case "rest": return (.tables, rowOperation(method, rest))
    case "auth": return (.tables, root + rest.dropFirst("v1".count))
    // The address of the live page.
    case "" where path == "/": return (.control, "zonekit")
    case let root where controlRoots.contains { $0 == root }: return (.control, root)
    case let root: return (SupabasePart(rawValue: String(root)) == nil ? .other : .tables, root)
    }
  }

  /// What follows the database in a path, or the environment if there is no database (CloudKit Web Services, a.0).
  private static func cloudKitOperation(in path: String) -> Substring {
    let slash = UInt8(ascii: "/")
    let parts = path.utf8.split(separator: slash, maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6 else { return path[...] }
    let rest = Substring(parts[5])
    let database = rest.utf8.prefix { $0 != slash }
    guard DatabaseScope(rawValue: String(Substring(database))) != nil else { return rest }
    return Substring(rest.utf8.dropFirst(database.count + 1))
  }

  /// What a request for rows does (PostgREST decides by the method).
  private static func rowOperation(_ method: String, _ rest: Substring) -> Substring {
    if rest.hasPrefix("v1/rpc/") { return "rest/rpc" }
    switch method {
    case "GET", "HEAD": return "rest/select"
    case "POST", "PUT": return "rest/insert"
    case "PATCH": return "rest/update"
    case "DELETE": return "rest/delete"
    default: return "rest"
    }
  }
}
