import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

extension ClientRequest {
  /// A client's request for rows of a schema of a user's own.
  package init(_ request: RelationRequest, from sender: SupabaseSender) {
    var query = RelationQueryWriter()
    var preferences: [String] = []
    var body: [UInt8] = []
    let method: String
    switch request.action {
    case .read: method = "GET"
    case .insert(let rows, let resolution):
      method = "POST"
      query.add("columns", columns: rows.columns)
      if let columns = request.conflictColumns { query.add("on_conflict", columns: columns) }
      if let resolution { preferences.append("resolution=\(resolution == .merges ? "merge" : "ignore")-duplicates") }
      if rows.fillsDefaults { preferences.append("missing=default") }
      body = JSON.array(rows.rows.map { .object($0) }).bytes()
    case .update(let rows):
      method = "PATCH"
      body = JSON.object(rows.rows.first ?? []).bytes()
    case .delete: method = "DELETE"
    case .call(let arguments, _):
      method = "POST"
      body = JSON.object(arguments).bytes()
    }
    query.add(request.reading)
    if request.isReturning, request.isWrite { preferences.append("return=representation") }
    if request.countsRows { preferences.append("count=exact") }
    if let limit = request.rowLimit { preferences += ["handling=strict", "max-affected=\(limit)"] }
    var path = RowCall.root
    if case .call = request.action { path += "rpc/" }
    path += HTTPPercent.encode(request.table)
    self.init(method, query.text.isEmpty ? path : "\(path)?\(query.text)", body: body)
    fields = sender.fields
    if request.isSingle { fields.append(HTTPField("Accept", "application/vnd.pgrst.object+json")) }
    if !preferences.isEmpty { fields.append(HTTPField("Prefer", preferences.joined(separator: ","))) }
  }
}

extension RelationOutcome {
  /// What a client reads in the answer to its request. An answer that cannot be read counts as lost, because the service may
  /// have carried the request out.
  package init(_ answer: HTTPResponse) {
    guard (200..<300).contains(answer.status) else {
      self = .refused(ServiceRefusal(answer))
      return
    }
    guard !answer.body.isEmpty else {
      self = .done([])
      return
    }
    do throws(JSONError) {
      let json = try JSON(exactly: answer.body)
      let rows = (json.array ?? [json]).compactMap(\.object)
      guard rows.count == json.array?.count ?? 1 else {
        self = .unanswered(.answerLost("the answer cannot be read: expected rows, found \(json.kind)"))
        return
      }
      self = .done(rows)
    } catch {
      self = .unanswered(.answerLost("the answer cannot be read: \(error)"))
    }
  }
}
