import ZoneKitRecords

/// Answers with pages of records of one request, whose errors are those of the whole answer.
extension CloudKitResponse {
  /// The answer to queries (CloudKit Web Services, a.1 rows 1 and 29).
  init(_ results: [QueryResult], to request: CloudKitRequest, zones: ZoneWriter, uuid: String) {
    if request.route.endpoint != .recordsQueryBatch, case .failed(let error)? = results.first {
      self.init(error, uuid: uuid)
    } else {
      self.init(status: 200, body: Self.body(of: results, to: request, zones: zones))
    }
  }

  private static func body(of results: [QueryResult], to request: CloudKitRequest, zones: ZoneWriter) -> [UInt8] {
    let isBatch = request.route.endpoint == .recordsQueryBatch
    var body: [UInt8] = []
    if isBatch { body.append(literal: "{\"batch\":[") }
    for (index, result) in results.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      switch result {
      case .records(let records): body.append(records, as: request.shape.item(at: index), request.shape.hasToken, zones)
      case .failed(let error):
        body.append(UInt8(ascii: "{"))
        ErrorCodec.appendMembers(error, to: &body)
        body.append(UInt8(ascii: "}"))
      }
    }
    if isBatch { body.append(literal: "]}") }
    return body
  }

  /// The answer to `records/changes` (CloudKit Web Services, a.1 row 4).
  init(_ results: [ZoneChangesResult], toChangesOf request: CloudKitRequest, zones: ZoneWriter, uuid: String) {
    switch results.first {
    case .failed(_, let error)?: self.init(error, uuid: uuid)
    case nil: self.init(CloudError(.internalError, "the cloud answered for no zone"), uuid: uuid)
    case .changes(let changes)?:
      let writer = RecordWriter(zoneID: changes.zoneID, zones: zones)
      var body: [UInt8] = []
      body.makeRoom(for: changes.page.bytes.count + changes.page.count * writer.room)
      body.append(literal: "{\"records\":[")
      writer.append(changes.page, as: request.shape.common, to: &body)
      body.append(UInt8(ascii: "]"))
      if case .fetchZoneChanges(let queries) = request.request, queries.first?.isReversed == true {
        body.append(literal: ",\"reverse\":true")
      }
      Self.appendPosition(changes.token, moreComing: changes.moreComing, to: &body)
      self.init(status: 200, body: body)
    }
  }
}

extension [UInt8] {
  /// Appends a page of a query.
  fileprivate mutating func append(
    _ records: QueriedRecords, as shape: ItemShape, _ hasToken: Bool, _ zones: ZoneWriter
  ) {
    append(literal: "{\"records\":[")
    for (index, run) in records.runs.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      let writer = RecordWriter(zoneID: run.zoneID, zones: zones)
      makeRoom(for: run.page.rows.reduce(0) { $0 + $1.fields.count + writer.room })
      writer.append(run.page, as: shape, to: &self)
    }
    append(UInt8(ascii: "]"))
    if let marker = records.marker {
      append(literal: ",\"continuationMarker\":")
      appendJSONString(marker)
    }
    if hasToken, let token = records.token { ZoneWriter.append(token, to: &self) }
    append(UInt8(ascii: "}"))
  }
}
