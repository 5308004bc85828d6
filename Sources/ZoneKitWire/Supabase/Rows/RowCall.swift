import ZoneKitRecords
import ZoneKitTables

/// A request for rows as it came over HTTP, with everything that the form of its answer depends on.
package struct RowCall: Sendable {
  /// The request.
  package let request: RowRequest
  /// What it asks beside the rows.
  package let demands: RowDemands
  /// The table.
  let table: Table
  /// The columns of the answer.
  let selection: RowSelection
  let media: RowMediaType
  let preferences: RowPreferences

  /// The path before the name of the table.
  package static let root = "/rest/v1/"

  /// Reads a request for a table of that schema. The path begins with `root`.
  package init(_ http: HTTPRequest, schema: TableSchema) throws(RowError) {
    guard Self.methods.contains(http.method) else {
      throw RowError(.unsupportedMethod, "Unsupported HTTP method: \(http.method)")
    }
    table = try Self.table(of: http, in: schema)
    media = try RowMediaType(http.fields["Accept"])
    preferences = try RowPreferences(http.fields.values("Prefer"))
    try Self.checkProfile(of: http, isReading: http.method == "GET" || http.method == "HEAD")
    let reader = try RowQueryReader(Self.queryItems(of: http), of: table)
    selection = reader.query.selection
    demands = RowDemands(
      countsRows: preferences.countsRows, isSingle: media.isSingle, rowLimit: preferences.rowLimit)
    request = try Self.request(http, reader, table, preferences)
  }

  /// The methods of requests for rows.
  static let methods = ["GET", "HEAD", "POST", "PATCH", "DELETE"]

  /// Throws if a request is for another schema than the usual one.
  static func checkProfile(of http: HTTPRequest, isReading: Bool) throws(RowError) {
    guard let profile = http.fields[isReading ? "Accept-Profile" : "Content-Profile"], profile != "public" else {
      return
    }
    throw RowError(
      .unknownProfile, "Invalid schema: \(profile)", hint: "Only the following schemas are exposed: public")
  }

  /// The items of a request's query.
  static func queryItems(of http: HTTPRequest) throws(RowError) -> [HTTPField] {
    do {
      return try HTTPQuery(parsing: http.query ?? "", plusSigns: .spaces).items
    } catch {
      throw RowError(.unreadableQuery, error.reason)
    }
  }

  /// The path of a request below `root`.
  static func pathSegments(of http: HTTPRequest) throws(RowError) -> [String] {
    do {
      return Array(try http.pathSegments().dropFirst(2))
    } catch {
      throw RowError(.unknownTable, error.reason)
    }
  }

  private static func table(of http: HTTPRequest, in schema: TableSchema) throws(RowError) -> Table {
    let path = try pathSegments(of: http)
    if path.first == "rpc" { throw .unknownFunction(path.dropFirst().first ?? "") }
    let name = Name(path.first ?? "")
    guard path.count == 1, let table = OwnTable(name)?.table ?? schema.table(name) else { throw .unknownTable(name) }
    return table
  }

  /// The field in which a client names the stamps of its own writes that it has not read since.
  static let acknowledgedField = "ZoneKit-Acknowledged"

  private static func acknowledged(in http: HTTPRequest) throws(RowError) -> [WallTime] {
    guard let text = http.fields[acknowledgedField] else { return [] }
    let stamps = text.split(separator: ",").map { Int64($0) }
    guard stamps.allSatisfy({ $0 != nil }) else {
      throw RowError(
        .unreadableQuery, "\(acknowledgedField) must be stamps in milliseconds since 1970, separated by commas")
    }
    return stamps.compactMap { $0.map { WallTime(milliseconds: $0) } }
  }

  private static func request(
    _ http: HTTPRequest, _ reader: RowQueryReader, _ table: Table, _ preferences: RowPreferences
  ) throws(RowError) -> RowRequest {
    let body = RowBodyReader(table: table, columns: reader.columns)
    switch http.method {
    case "POST":
      if let conflict = reader.conflict, Set(conflict) != Set(table.key) {
        throw RowError(
          .noSuchKey, "there is no unique or exclusion constraint matching the ON CONFLICT specification")
      }
      let rows = try body.rows(http.body)
      return .write(table.name, RowWrite(rows, resolution: preferences.resolution ?? .refuse))
    case "PATCH":
      guard !reader.query.filters.isEmpty else {
        throw RowError(.missingFilter, "UPDATE requires a WHERE clause")
      }
      let rows = try body.rows(http.body)
      guard rows.count == 1 else {
        throw RowError(.unreadableBody, "Empty or invalid json", details: "expected one object, found \(rows.count)")
      }
      return .update(table.name, rows[0], reader.query)
    case "DELETE":
      guard !reader.query.filters.isEmpty else {
        throw RowError(.missingFilter, "DELETE requires a WHERE clause")
      }
      return .delete(table.name, reader.query)
    default:
      var query = reader.query
      query.acknowledged = try acknowledged(in: http)
      return .read(table.name, query, isHead: http.method == "HEAD")
    }
  }
}
