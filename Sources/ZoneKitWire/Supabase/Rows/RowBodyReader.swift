import ZoneKitRecords
import ZoneKitTables

/// Reads the rows of a body.
struct RowBodyReader {
  let table: Table
  /// The columns that count; nil for those of each object.
  let columns: [Name]?

  /// The rows of an array, or the one of an object.
  func rows(_ body: [UInt8]) throws(RowError) -> [RowContent] {
    let json: JSON
    do {
      json = try JSON(exactly: body)
    } catch {
      throw RowError(.unreadableBody, "Empty or invalid json", details: "\(error)")
    }
    for column in columns ?? [] where table.column(column) == nil { throw unknown(column) }
    var rows: [RowContent] = []
    var names: [Name]?
    for element in json.array ?? [json] {
      guard let members = element.object else {
        throw RowError(.unreadableBody, "Empty or invalid json", details: "expected an object, found \(element.kind)")
      }
      let row = try row(members)
      let own = row.members.map(\.column)
      if columns == nil, own != names ?? own { throw RowError(.unreadableBody, "All object keys must match") }
      names = own
      rows.append(row)
    }
    return rows
  }

  private func row(_ members: [JSON.Member]) throws(RowError) -> RowContent {
    var content = RowContent([:])
    for member in members {
      let name = Name(member.key)
      if let columns, !columns.contains(name) { continue }
      guard let column = table.column(name) else { throw unknown(name) }
      content[name] = try RowValue(member.value, as: column.type)
    }
    return content
  }

  private func unknown(_ column: Name) -> RowError {
    RowError(
      .unknownColumnOfBody, "Could not find the '\(column)' column of '\(table.name)' in the schema cache")
  }
}
