import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

extension RelationCall {
  /// The reply with that answer.
  package func reply(_ answer: Result<RelationResult, RowError>) -> HTTPReply {
    switch answer {
    case .failure(let error): return HTTPReply(error)
    case .success(let result): return reply(result)
    }
  }

  private func reply(_ result: RelationResult) -> HTTPReply {
    if case .call = request.action, result.columns.isEmpty {
      guard let value = result.value else { return HTTPReply(status: 204, contentType: media.contentType) }
      return HTTPReply(status: 200, contentType: media.contentType, body: value)
    }
    var reply = HTTPReply(status: status(of: result), contentType: media.contentType)
    reply.fields.append(HTTPField("Content-Range", range(of: result)))
    if !preferences.applied.isEmpty {
      reply.fields.append(HTTPField("Preference-Applied", preferences.applied.joined(separator: ", ")))
    }
    if preferences.returning == .headersOnly, !result.key.isEmpty {
      let filters = result.key.map { "\($0.column)=eq.\(HTTPPercent.encode($0.text))" }.joined(separator: "&")
      reply.fields.append(HTTPField("Location", "/\(HTTPPercent.encode(request.table))?\(filters)"))
    }
    if request.isReturning { reply.body = body(result) }
    return reply
  }

  private func status(of result: RelationResult) -> Int {
    switch request.action {
    case .read, .call:
      guard let total = result.total else { return 200 }
      return result.rowCount < total ? 206 : 200
    case .insert(let body, .merges): return result.inserted == 0 && !body.rows.isEmpty ? 200 : 201
    case .insert: return 201
    case .update, .delete: return request.isReturning ? 200 : 204
    }
  }

  private func range(of result: RelationResult) -> String {
    func range(_ offset: Int, _ count: Int, _ total: Int?) -> String {
      "\(count > 0 ? "\(offset)-\(offset + count - 1)" : "*")/\(total.map { "\($0)" } ?? "*")"
    }
    let counted = request.countsRows ? result.written : nil
    switch request.action {
    case .read, .call: return range(result.offset, result.rowCount, result.total)
    case .update: return range(0, result.written, counted)
    case .insert, .delete: return range(0, 0, counted)
    }
  }

  // MARK: Bodies

  private func body(_ result: RelationResult) -> [UInt8] {
    if let json = result.json { return [UInt8(ascii: "[")] + json.bytes + [UInt8(ascii: "]")] }
    if media.isCSV { return table(result) }
    let writer = RelationWriter(omitsNulls: media.omitsNulls)
    var bytes: [UInt8] = []
    if media.isSingle || result.isOneRow, let row = result.rows.first {
      writer.append(row, result.columns, to: &bytes)
    } else {
      writer.append(rows: result.rows, result.columns, to: &bytes)
    }
    return bytes
  }

  private func table(_ result: RelationResult) -> [UInt8] {
    let writer = RelationWriter(omitsNulls: false)
    var bytes: [UInt8] = []
    for (place, column) in result.columns.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      CSVText.append(column.name, to: &bytes)
    }
    for row in result.rows {
      bytes.append(UInt8(ascii: "\n"))
      for (place, (column, cell)) in zip(result.columns, row).enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        if let text = writer.text(of: cell, column) { CSVText.append(text, to: &bytes) }
      }
    }
    return bytes
  }
}

/// Writes rows of an answer as JSON.
struct RelationWriter {
  /// Whether members without a value are left out.
  let omitsNulls: Bool

  /// Appends rows as an array of objects.
  func append(rows: [[RelationCell]], _ columns: [RelationColumn], to bytes: inout [UInt8]) {
    // The names are the same in each row.
    let keys = columns.map { Self.key($0.name) }
    bytes.append(UInt8(ascii: "["))
    for (place, row) in rows.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(row, columns, keys, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends a row as an object.
  func append(_ row: [RelationCell], _ columns: [RelationColumn], to bytes: inout [UInt8]) {
    append(row, columns, columns.map { Self.key($0.name) }, to: &bytes)
  }

  private static func key(_ name: String) -> [UInt8] {
    var key: [UInt8] = []
    key.appendJSONString(name)
    key.append(UInt8(ascii: ":"))
    return key
  }

  private func append(
    _ row: [RelationCell], _ columns: [RelationColumn], _ keys: [[UInt8]], to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for place in row.indices {
      if omitsNulls, row[place].isNull { continue }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes += keys[place]
      append(row[place], columns[place].kind, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func append(_ cell: RelationCell, _ kind: RelationColumn.Kind, to bytes: inout [UInt8]) {
    switch (cell, kind) {
    case (.value(let datum), .value(let type)): type.append(datum, toJSON: &bytes)
    case (.row(let row?), .row(let columns)): append(row, columns, to: &bytes)
    case (.rows(let rows), .rows(let columns)): append(rows: rows, columns, to: &bytes)
    default: bytes += "null".utf8
    }
  }

  /// The text of a part of a row in a table; nil for null.
  func text(of cell: RelationCell, _ column: RelationColumn) -> String? {
    if case .value(let datum) = cell, case .value(let type) = column.kind {
      return datum == .null ? nil : type.text(of: datum)
    }
    guard !cell.isNull else { return nil }
    var bytes: [UInt8] = []
    append(cell, column.kind, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension RelationCell {
  fileprivate var isNull: Bool {
    switch self {
    case .value(let datum): datum == .null
    case .row(let row): row == nil
    case .rows: false
    }
  }
}
