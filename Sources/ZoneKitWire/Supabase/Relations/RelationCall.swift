import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// A request for rows of a schema of a user's own as it came over HTTP, with everything that the form of its answer depends
/// on.
package struct RelationCall: Sendable {
  /// The request.
  package private(set) var request: RelationRequest
  let media: RelationMediaType
  let preferences: RowPreferences

  /// Reads a request. The path begins with `RowCall.root`.
  package init(_ http: HTTPRequest) throws(RowError) {
    let (table, isFunction) = try Self.target(of: http)
    let isReading = http.method == "HEAD" || http.method == "GET"
    try RowCall.checkProfile(of: http, isReading: isReading)
    media = try RelationMediaType(http.fields["Accept"])
    preferences = try RowPreferences(http.fields.values("Prefer"))
    if isFunction {
      let arguments = try Self.arguments(of: http, isReading: isReading)
      let items = try RowCall.queryItems(of: http).filter { !isReading || Self.isOfRows($0.name, $0.value) }
      var query = try RelationQueryReader(items)
      query.apply(range: http.fields["Range"])
      request = RelationRequest(.call(arguments, isReading: isReading), table, query.reading)
      request.isReturning = true
      request.countsRows = preferences.countsRows
      request.isSingle = media.isSingle
      return
    }
    var query = try RelationQueryReader(RowCall.queryItems(of: http))
    if isReading { query.apply(range: http.fields["Range"]) }
    var request = RelationRequest(
      try Self.action(http, query, preferences), table, query.reading)
    request.conflictColumns = query.conflict
    request.isReturning = isReading || preferences.returning == .representation
    request.countsRows = preferences.countsRows
    request.isSingle = media.isSingle
    request.takesJSON = !media.isSingle && !media.omitsNulls && !media.isCSV
    request.rowLimit = preferences.rowLimit
    self.request = request
  }

  /// The table or the function that a path names.
  private static func target(of http: HTTPRequest) throws(RowError) -> (name: String, isFunction: Bool) {
    guard RowCall.methods.contains(http.method) else {
      throw RowError(.unsupportedMethod, "Unsupported HTTP method: \(http.method)")
    }
    let path = try RowCall.pathSegments(of: http)
    if path.first == "rpc", path.count == 2 {
      guard http.method == "POST" || http.method == "GET" || http.method == "HEAD" else {
        throw RowError(405, "PGRST101", "Cannot use the \(http.method) method on RPC")
      }
      return (path[1], true)
    }
    guard path.count == 1 else {
      throw RowError(404, "PGRST125", "Invalid path specified in request URL")
    }
    return (path[0], false)
  }

  /// The arguments of a call: the members of a body, or the items of a query as texts.
  private static func arguments(of http: HTTPRequest, isReading: Bool) throws(RowError) -> [JSON.Member] {
    guard !isReading else {
      return try RowCall.queryItems(of: http).filter { !isOfRows($0.name, $0.value) }.map {
        JSON.Member($0.name, .string($0.value))
      }
    }
    guard !http.body.isEmpty else { return [] }
    guard let json = try? JSON(exactly: http.body.span), let members = json.object else {
      throw RowError(.unreadableBody, "Empty or invalid json", details: "expected one object with the arguments")
    }
    return members
  }

  /// Whether an item of a query is about the rows that a function returns. Otherwise it is an argument.
  private static func isOfRows(_ name: String, _ value: String) -> Bool {
    let word = name.split(separator: ".").last.map { String($0) } ?? name
    if ["select", "order", "limit", "offset", "and", "or"].contains(word) { return true }
    var words = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    if words.count > 1, words[0] == "not" { words = words[1].split(separator: ".", maxSplits: 1).map { String($0) } }
    guard words.count > 1 else { return false }
    let operators = [
      "eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch", "in", "is", "isdistinct", "cs", "cd",
      "ov",
    ]
    return operators.contains(words[0].replacing("(any)", with: "").replacing("(all)", with: ""))
  }

  private static func action(
    _ http: HTTPRequest, _ query: RelationQueryReader, _ preferences: RowPreferences
  ) throws(RowError) -> RelationRequest.Action {
    switch http.method {
    case "POST":
      let body = try RelationBody(http, columns: query.columns, fillsDefaults: preferences.fillsDefaults)
      return .insert(body, preferences.resolution?.relation)
    case "PATCH":
      guard !query.reading.conditions.isEmpty else {
        throw RowError(.missingFilter, "UPDATE requires a WHERE clause")
      }
      return .update(try RelationBody(http, columns: query.columns, fillsDefaults: true))
    case "DELETE":
      guard !query.reading.conditions.isEmpty else {
        throw RowError(.missingFilter, "DELETE requires a WHERE clause")
      }
      return .delete
    default: return .read
    }
  }
}

extension RowWrite.Resolution {
  fileprivate var relation: RelationResolution? {
    switch self {
    case .refuse: nil
    case .merge: .merges
    case .ignore: .ignores
    }
  }
}
