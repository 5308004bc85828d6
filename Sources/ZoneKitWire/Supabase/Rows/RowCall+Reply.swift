import ZoneKitRecords
import ZoneKitTables

extension RowCall {
  /// The most rows whose verdicts are named one by one.
  private static let namedVerdictLimit = 200

  /// By how much the answer may be larger than the rows that it has. At least 1.
  package var growth: Int { selection.growth(of: table) }

  /// The reply with that answer. The texts of rows that are in `kept` are copied from there, and others are kept.
  package func reply(_ response: RowResponse, keeping kept: inout KeptRows) -> HTTPReply {
    switch response {
    case .refused(let error): return HTTPReply(error)
    case .done(let result):
      do {
        return try reply(result, &kept)
      } catch {
        return HTTPReply(RowError(.storeFailed, "a row cannot be read: \(error)"))
      }
    }
  }

  private func reply(_ result: RowResult, _ kept: inout KeptRows) throws(StoreError) -> HTTPReply {
    var reply = HTTPReply(status: 200, contentType: media.contentType)
    var range = "*/\(result.total.map { "\($0)" } ?? "*")"
    switch request {
    case .read(_, let query, isHead: _):
      let count = result.rows.count
      if count > 0 { range = "\(query.offset)-\(query.offset + count - 1)\(range.dropFirst())" }
      if let total = result.total, count < total { reply.status = 206 }
      reply.body = try body(result.rows, &kept)
    case .write(_, let write):
      let isMerged = write.resolution == .merge && !result.verdicts.contains(.inserted)
      reply.status = isMerged ? 200 : 201
      try fill(&reply, result, &kept)
      if demands.countsRows { range = "*/\(result.rows.count)" }
    case .update:
      reply.status = preferences.returning == .representation ? 200 : 204
      try fill(&reply, result, &kept)
      if result.rows.count > 0 { range = "0-\(result.rows.count - 1)/*" }
      if demands.countsRows { range = "\(range.dropLast())\(result.rows.count)" }
    case .delete:
      reply.status = preferences.returning == .representation ? 200 : 204
      try fill(&reply, result, &kept)
      if demands.countsRows { range = "*/\(result.rows.count)" }
    }
    reply.fields.append(HTTPField("Content-Range", range))
    if !preferences.applied.isEmpty {
      reply.fields.append(HTTPField("Preference-Applied", preferences.applied.joined(separator: ", ")))
    }
    if let feed = result.feed { reply.fields += feed.fields }
    return reply
  }

  /// Fills in what the answer to a write holds.
  private func fill(
    _ reply: inout HTTPReply, _ result: RowResult, _ kept: inout KeptRows
  ) throws(StoreError) {
    let isNamed = preferences.wantsVerdicts && result.verdicts.count <= Self.namedVerdictLimit
    let verdicts =
      isNamed
      ? result.verdicts.map(\.rawValue).joined(separator: ",")
      : RowVerdict.allCases.map { verdict in "\(verdict.rawValue)=\(result.verdicts.count { $0 == verdict })" }
        .joined(separator: ";")
    reply.fields.append(HTTPField("ZoneKit-Verdicts", verdicts))
    switch preferences.returning {
    case .minimal: break
    case .representation: reply.body = try body(result.rows, &kept)
    case .headersOnly:
      guard case .rows(let rows) = result.rows, rows.count == 1, let key = RowKey(rows[0], of: table) else { return }
      let filters = zip(table.key, key.parts).map { "\($0)=eq.\($1.text)" }.joined(separator: "&")
      reply.fields.append(HTTPField("Location", "/\(table.name)?\(filters)"))
    }
  }

  /// The rows as an array, or the one row as an object.
  private func body(_ rows: RowSet, _ kept: inout KeptRows) throws(StoreError) -> [UInt8] {
    let writer = RowText(selection, of: table, omitsNulls: media.omitsNulls)
    var bytes: [UInt8] = media.isSingle ? [] : [UInt8(ascii: "[")]
    switch rows {
    case .rows(let rows):
      for (index, row) in rows.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        writer.append(row, to: &bytes)
      }
    case .page(let page, let owner):
      bytes.reserveCapacity(page.bytes.count)
      for (index, row) in page.rows.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        try writer.append(RowRecord(row, of: page), in: page.bytes, owner: owner, to: &bytes, keeping: &kept)
      }
    }
    if !media.isSingle { bytes.append(UInt8(ascii: "]")) }
    return bytes
  }
}

extension RowFeed {
  /// The state of the feed as fields of an answer: `ZoneKit-Feed`, and `ZoneKit-Feed-Earlier` if there are earlier lives.
  var fields: [HTTPField] {
    let text = "\(Hexadecimal.text(incarnation));\(newest.milliseconds);\(horizon.milliseconds)"
    let lives = earlier.map { life in
      let ending = life.ending.map { "=\($0.reason.rawValue)@\($0.at?.milliseconds ?? 0)" } ?? ""
      return Hexadecimal.text(life.incarnation) + ending
    }
    let feed = HTTPField("ZoneKit-Feed", text)
    return lives.isEmpty ? [feed] : [feed, HTTPField("ZoneKit-Feed-Earlier", lives.joined(separator: ";"))]
  }
}

extension HTTPReply {
  /// The reply to a request for rows that is refused. Code and details are always texts or null: clients fail otherwise.
  package init(_ error: RowError) {
    func text(_ text: String?) -> JSON { text.map { .string($0.errorText) } ?? .null }
    let document: JSON = [
      "code": .string(error.code), "message": .string(error.message.errorText), "details": text(error.details),
      "hint": text(error.hint),
    ]
    var fields = [HTTPField("Proxy-Status", "PostgREST; error=\(error.code)")]
    if let wait = error.retryAfter { fields.append(HTTPField("Retry-After", "\(wait)")) }
    if let feed = error.feed { fields += feed.fields }
    if let count = error.rowCount { fields.append(HTTPField("Content-Range", "*/\(count)")) }
    if error.kind == .expiredToken || error.kind == .invalidToken {
      let challenge = "Bearer error=\"invalid_token\", error_description=\"\(error.message.errorText)\""
      fields.append(HTTPField("WWW-Authenticate", challenge))
    }
    self.init(
      status: error.status, fields: fields, contentType: "application/json; charset=utf-8",
      body: document.bytes())
  }
}
