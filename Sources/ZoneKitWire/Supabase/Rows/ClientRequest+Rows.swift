import ZoneKitRecords
import ZoneKitTables

extension ClientRequest {
  /// A client's request for rows. A write asks for the rows as they are afterwards, and for a verdict on each.
  package init(_ request: RowRequest, _ demands: RowDemands, of table: Table, from sender: SupabaseSender) {
    var query = RowQueryWriter(table)
    var preferences: [String] = []
    var body: [UInt8] = []
    let method: String
    switch request {
    case .read(_, let asked, let isHead):
      method = isHead ? "HEAD" : "GET"
      query.add(asked.selection)
      query.add(asked)
    case .write(_, let write):
      method = "POST"
      preferences = Self.writing
      switch write.resolution {
      case .refuse: break
      case .merge: preferences.append("resolution=merge-duplicates")
      case .ignore: preferences.append("resolution=ignore-duplicates")
      }
      let columns = Set(write.rows.flatMap { $0.members.map(\.column) })
      if write.rows.contains(where: { $0.members.count < columns.count }) { query.add(columns: columns.sorted()) }
      body.append(write.rows)
    case .update(_, let content, let asked):
      method = "PATCH"
      preferences = Self.writing
      query.add(asked)
      body.append(content)
    case .delete(_, let asked):
      method = "DELETE"
      preferences = Self.writing
      query.add(asked)
    }
    if demands.countsRows { preferences.append("count=exact") }
    if let limit = demands.rowLimit { preferences += ["handling=strict", "max-affected=\(limit)"] }
    let target = RowCall.root + HTTPPercent.encode(request.table.text)
    self.init(method, query.text.isEmpty ? target : "\(target)?\(query.text)", body: body)
    fields = sender.fields
    if demands.isSingle { fields.append(HTTPField("Accept", "application/vnd.pgrst.object+json")) }
    if !preferences.isEmpty { fields.append(HTTPField("Prefer", preferences.joined(separator: ","))) }
    if case .read(_, let asked, _) = request, !asked.acknowledged.isEmpty {
      let stamps = asked.acknowledged.map { String($0.milliseconds) }
      fields.append(HTTPField(RowCall.acknowledgedField, stamps.joined(separator: ",")))
    }
  }

  private static let writing = ["return=representation", RowPreferences.verdicts]
}

extension [UInt8] {
  /// Appends rows as an array of objects.
  fileprivate mutating func append(_ rows: [RowContent]) {
    append(UInt8(ascii: "["))
    for (index, row) in rows.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(row)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends columns as an object, in the order of their names.
  fileprivate mutating func append(_ content: RowContent) {
    append(UInt8(ascii: "{"))
    for (index, member) in content.members.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendJSONString(member.column.text)
      append(UInt8(ascii: ":"))
      append(member.value)
    }
    append(UInt8(ascii: "}"))
  }
}
