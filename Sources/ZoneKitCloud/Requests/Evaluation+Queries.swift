import ZoneKitRecords

extension Evaluation {
  /// A page of the records that each query finds (CloudKit Web Services, a.1 row 1 and c.5). An error of one query does not
  /// affect the others.
  mutating func queryRecords(_ queries: [QueryRecords]) throws(EvaluationFailure) -> Outcome {
    try checkCount(queries.count, of: "queries")
    var results: [QueryResult] = []
    for query in queries {
      do throws(EvaluationFailure) {
        results.append(.records(try records(of: query)))
      } catch {
        results.append(.failed(try error.ofItem()))
      }
    }
    return Outcome(.queries(results))
  }

  private mutating func records(of request: QueryRecords) throws(EvaluationFailure) -> QueriedRecords {
    let type = request.query.recordType
    guard type.isIdentifier else { throw unknownType(type) }
    let zones = try zones(of: request)
    let identity = request.query.text + Array((request.zoneID?.zoneName.text ?? "").utf8)
    var marker: ContinuationMarker?
    if let text = request.marker, !text.isEmpty { marker = try ContinuationMarker(text, of: identity) }
    var merge = QueryMerge(limit: request.limit, byteLimit: pageSize)
    var isKnown = false
    for zone in zones {
      let part = try matches(of: request, in: zone, after: marker)
      isKnown = isKnown || part.isKnown
      merge.add(part.matches, of: part.query, in: zone.key.zoneName)
    }
    guard isKnown else { throw unknownType(type) }
    let page = try merge.page()
    let header = request.zoneID == nil ? nil : zones.first?.header
    return QueriedRecords(
      runs: try page.runs.map { (run) throws(EvaluationFailure) in try shown(run, of: zones) },
      marker: page.next?.text(of: identity),
      token: header.flatMap { $0.zoneName.isDefaultZone ? nil : FeedToken.current(of: $0).changeToken })
  }

  /// The records of a run that the caller sees.
  private mutating func shown(
    _ run: QueriedRecords.Run, of zones: [LiveZone]
  ) throws(EvaluationFailure) -> QueriedRecords.Run {
    guard let zone = zones.first(where: { $0.key.zoneName == run.zoneID.zoneName }) else { return run }
    let page = try zone.access.visible(run.page, in: reader.content(of: zone.key))
    return QueriedRecords.Run(zoneID: zone.access.zoneID, page: zone.shown(page))
  }

  /// The zones in which a query looks, in ascending order of their names.
  private mutating func zones(of request: QueryRecords) throws(EvaluationFailure) -> [LiveZone] {
    if let zoneID = request.zoneID { return [try liveZone(zoneID)] }
    // The text is that of the live service.
    guard database.scope != .shared else {
      throw .refused(.invalidArguments, "SharedDB does not support Zone Wide queries")
    }
    let headers = try reader.zones(of: database).headers
    return headers.filter { !$0.isDeleted && ($0.zoneName.isDefaultZone || !$0.zoneName.isReserved) }
      .map { LiveZone(key: key($0.zoneName), header: $0) }
  }

  /// The records that a query finds in one zone.
  private mutating func matches(
    of request: QueryRecords, in zone: LiveZone, after marker: ContinuationMarker?
  ) throws(EvaluationFailure) -> (matches: RecordMatches, query: RecordQuery, isKnown: Bool) {
    let content = reader.content(of: zone.key)
    let (schema, isKnown) = try schema(for: request.query, in: zone.key)
    let translation = QueryTranslation(query: request.query, schema: schema, policy: policy)
    var query = try translation.recordQuery()
    if let creator = try access.readableCreator(of: request.query.recordType) {
      query.condition = .all([query.condition, .compare(.createdBy, .equal, .text(creator))])
    }
    query.limit = request.limit
    query.byteLimit = pageSize
    query.after = try marker?.position(in: zone.key.zoneName, of: query)
    let matches = try content.part(of: query)
    return (matches, query, isKnown || policy.schema == nil && matches.page.count > 0)
  }

  /// The text is that of the live service.
  func unknownType(_ type: Name) -> EvaluationFailure {
    .refused(.unknownItem, "did not find record type: \(type)")
  }
}

extension ContinuationMarker {
  /// Where the page begins in a zone: of records with equal values, those of zones that come earlier are in earlier pages.
  fileprivate func position(
    in zone: Name, of query: RecordQuery
  ) throws(EvaluationFailure) -> RecordQuery.Position {
    guard position.values.count == query.order.count else {
      throw .refused(.invalidArguments, "continuationMarker is not one of this query")
    }
    if zone == zoneName { return position }
    return RecordQuery.Position(values: position.values, recordName: zone < zoneName ? nil : "")
  }
}
