import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

extension RelationBody {
  /// The most rows of a write.
  static let rowLimit = 5_000

  /// The rows of a body: an array of objects, one object, or a table of values separated by commas. `columns` are those that
  /// count; nil for those of the objects, which then must all have the same.
  init(_ http: HTTPRequest, columns: [String]?, fillsDefaults: Bool) throws(RowError) {
    let type = http.fields["Content-Type"]?.split(separator: ";").first?.trimmed.lowercased() ?? "application/json"
    let rows: [[JSON.Member]]
    switch type {
    case "text/csv": rows = try Self.records(http.body)
    case "application/x-www-form-urlencoded":
      throw RowError(
        415, "PGRST107", "Content-Type not acceptable: \(type)", hint: "Send application/json or text/csv.")
    default: rows = try Self.objects(http.body)
    }
    if let columns {
      self.init(rows, columns: columns, fillsDefaults: fillsDefaults)
      return
    }
    let names = rows.first.map { $0.map(\.key) } ?? []
    let keys = Set(names.map { Name($0) })
    guard rows.allSatisfy({ Set($0.map { Name($0.key) }) == keys }) else {
      throw RowError(.unreadableBody, "All object keys must match")
    }
    var seen: Set<Name> = []
    self.init(rows, columns: names.filter { seen.insert(Name($0)).inserted }, fillsDefaults: fillsDefaults)
  }

  private static func records(_ body: [UInt8]) throws(RowError) -> [[JSON.Member]] {
    do throws(CSVError) {
      var records = try CSVText.records(body, limit: rowLimit + 1)
      guard !records.isEmpty else { return [] }
      let names = records.removeFirst().map(\.text)
      return records.map { record in
        zip(names, record).map { JSON.Member($0, $1.isQuoted || $1.text != "NULL" ? .string($1.text) : .null) }
      }
    } catch {
      throw RowError(.unreadableBody, "Empty or invalid CSV", details: "\(error)")
    }
  }

  private static func objects(_ body: [UInt8]) throws(RowError) -> [[JSON.Member]] {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(exactly: body)
    } catch {
      throw RowError(.unreadableBody, "Empty or invalid json", details: "\(error)")
    }
    let elements = json.array ?? [json]
    guard elements.count <= Self.rowLimit else {
      throw RowError(.unreadableBody, "more than \(Self.rowLimit) rows in one write")
    }
    return try elements.map { (element) throws(RowError) in
      guard let members = element.object else {
        throw RowError(.unreadableBody, "Empty or invalid json", details: "expected an object, found \(element.kind)")
      }
      return members
    }
  }
}
