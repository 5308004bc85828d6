import ZoneKitRecords
import ZoneKitSync
import ZoneKitWire

/// A protocol of ten lines, as the smallest second one beside CloudKit. A user has one zone of keys and values.
///
///     PUT  /kv                        makes the zone
///     GET  /kv?since=TOKEN&limit=N    answers =TOKEN, a line with + where more is to come, and the entries changed since
///     POST /kv                        takes entries, one line each, and answers each as it is now, or ! and an error
///     POST /kv/look                   takes keys, one line each, and answers each entry as it is, or ! and an error
///
/// An entry is a line KEY, VALUE, TAG, with a tab between; an absent value stands for a deletion, an absent tag for a new
/// key. The server adds the device that wrote the entry and the time. All parts are percent-encoded. The fields User and
/// Device of the head say who asks. Errors are the code and the reason as text.
struct KeyValueAdapter: ProtocolAdapter {
  private static let path = "/kv"
  private static let lookPath = "/kv/look"

  var roots: [String] { ["kv"] }

  // MARK: The server's side

  func call(of request: HTTPRequest, in context: CallContext) throws(CallRefusal) -> Call {
    guard [Self.path, Self.lookPath].contains(request.path) else {
      throw Self.refusal(404, "there are only \(Self.path) and \(Self.lookPath)")
    }
    guard let user = request.fields["User"] else { throw Self.refusal(401, "the field User is missing") }
    let asked: CloudRequest
    switch (request.method, request.path) {
    case ("PUT", Self.path): asked = .modifyZones([.create(KeyValueApp.zoneID)])
    case ("GET", Self.path): asked = .fetchZoneChanges([Self.query(of: request)])
    case ("POST", Self.path):
      var operations: [RecordOperation] = []
      for line in Self.lines(request.body) { operations.append(try Self.operation(line)) }
      asked = .modifyRecords(ModifyRecords(zoneID: KeyValueApp.zoneID, operations: operations, isAtomic: false))
    case ("POST", _):
      let keys = Self.lines(request.body).compactMap(\.first).map { Name($0 ?? "") }
      asked = .lookupRecords(zoneID: KeyValueApp.zoneID, recordNames: keys)
    default: throw Self.refusal(405, "\(Self.path) takes PUT, GET and POST")
    }
    return Call(
      asked, container: KeyValueApp.container, environment: .development, scope: .private,
      credentials: .caller(Caller(user: Name(user), deviceID: request.fields["Device"]))
    ) { outcome in
      switch outcome {
      case .answered(let response, _): Self.reply(response)
      case .refused(let error): Self.reply(error)
      }
    }
  }

  func reply(refusing request: HTTPRequest, with error: CloudError, in context: CallContext) -> HTTPReply {
    Self.reply(error)
  }

  private static func query(of request: HTTPRequest) -> ZoneChangesQuery {
    let items = try? request.queryItems()
    let token = items?["since"].flatMap { $0.isEmpty ? nil : ChangeToken($0) }
    let limit = items?["limit"].flatMap { Int($0) } ?? ZoneChangesQuery.pageLimit
    return ZoneChangesQuery(zoneID: KeyValueApp.zoneID, token: token, limit: limit)
  }

  private static func operation(_ line: [String?]) throws(CallRefusal) -> RecordOperation {
    guard line.count == 3, let key = line[0], !key.isEmpty else {
      throw refusal(400, "a line must be KEY, VALUE and TAG with a tab between")
    }
    let tag = line[2].flatMap { $0.isEmpty ? nil : ChangeTag($0) }
    guard let value = line[1], !value.isEmpty else {
      return RecordOperation(.delete, recordName: Name(key), changeTag: tag)
    }
    let change = FieldChange.set(.string(value), isTyped: true, isEncrypted: false)
    return RecordOperation(
      tag == nil ? .create : .replace, recordName: Name(key), recordType: KeyValueApp.recordType, changeTag: tag,
      fields: [NamedFieldChange(KeyValueApp.field, change)])
  }

  private static func reply(_ response: CloudResponse) -> HTTPReply {
    switch response {
    case .zones: text(200, "")
    case .records(let results): text(200, results.map { line($0) + "\n" }.joined())
    case .zoneChanges(let results): results.first.map(reply) ?? text(500, "internalError: no page")
    case .failure(let error): reply(error)
    case .atomicFailure, .queries, .uploads, .assets, .databaseChanges, .subscriptions, .pushToken, .users, .shares:
      text(500, "internalError: another answer")
    }
  }

  private static func reply(_ result: ZoneChangesResult) -> HTTPReply {
    switch result {
    case .failed(_, let error): reply(error)
    case .changes(let changes):
      text(
        200,
        "=" + changes.token.text + (changes.moreComing ? "\n+" : "")
          + changes.page.changes.map { "\n" + line($0) }.joined() + "\n")
    }
  }

  private static func reply(_ error: CloudError) -> HTTPReply {
    text(error.code == .changeTokenExpired ? 410 : 409, "\(error.code.rawValue): \(error.reason)")
  }

  private static func line(_ result: RecordResult) -> String {
    switch result {
    case .record(let record), .kept(let record): line(.saved(record))
    case .deleted(let name, _): line(name.text, "", "", "", "")
    case .failed(let name, let error): line("!" + (name?.text ?? ""), error.code.rawValue, error.reason)
    }
  }

  private static func line(_ change: RecordChange) -> String {
    switch change {
    case .saved(let record):
      let value = KeyValueApp.value(RecordContent(fields: record.fields)) ?? "?"
      return line(
        record.recordName.text, value, record.changeTag.text, record.modified.author.deviceID,
        record.modified.at.iso8601)
    case .deleted(let name, let tag): return line(name.text, "", tag.text, "", "")
    }
  }

  private static func line(_ parts: String...) -> String {
    parts.map(HTTPPercent.encode).joined(separator: "\t")
  }

  private static func text(_ status: Int, _ text: String) -> HTTPReply {
    HTTPReply(status: status, contentType: "text/plain", body: Array(text.utf8))
  }

  private static func refusal(_ status: Int, _ reason: String) -> CallRefusal { CallRefusal(text(status, reason)) }

  /// The parts of each line; nil for one that is badly encoded.
  private static func lines(_ body: [UInt8]) -> [[String?]] {
    String(decoding: body, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { part in HTTPPercent.decode(part)
      }
    }
  }

  // MARK: The device's side

  func request(_ request: CloudRequest, of database: DatabaseID, from caller: Caller) -> ClientRequest {
    let fields =
      [HTTPField("User", caller.user.text)] + (caller.deviceID.map { [HTTPField("Device", $0)] } ?? [])
    switch request {
    case .modifyZones: return ClientRequest("PUT", Self.path, fields: fields)
    case .fetchZoneChanges(let queries):
      let since = HTTPPercent.encode(queries.first?.token?.text ?? "")
      let limit = queries.first?.limit ?? ZoneChangesQuery.pageLimit
      return ClientRequest("GET", Self.path + "?since=\(since)&limit=\(limit)", fields: fields)
    case .lookupRecords(_, let keys):
      let lines = keys.map { Self.line($0.text) + "\n" }
      return ClientRequest(
        "POST", Self.lookPath, fields: fields, contentType: "text/plain", body: Array(lines.joined().utf8))
    case .modifyRecords(let batch):
      let lines = batch.operations.map { operation in
        let value = operation.fields.compactMap { field -> String? in
          guard case .set(.string(let value), _, _) = field.change else { return nil }
          return value
        }
        return Self.line(operation.recordName?.text ?? "", value.first ?? "", operation.changeTag?.text ?? "") + "\n"
      }
      return ClientRequest(
        "POST", Self.path, fields: fields, contentType: "text/plain", body: Array(lines.joined().utf8))
    case .listZones, .lookupZones, .queryRecords, .createUploads, .rereferenceAssets, .fetchDatabaseChanges,
      .listSubscriptions, .lookupSubscriptions,
      .modifySubscriptions, .createPushToken, .registerPushToken, .fetchUsers, .resolveShares, .acceptShares:
      return ClientRequest("GET", Self.path + "/unknown", fields: fields)
    }
  }

  func response(_ answer: HTTPResponse, to request: CloudRequest, from caller: Caller) -> CloudResponse {
    guard answer.status == 200 else {
      let text = String(decoding: answer.body, as: UTF8.self)
      let code = text.prefix { $0 != ":" }
      return .failure(CloudError(CloudErrorCode(rawValue: String(code)) ?? .serverRejectedRequest, text))
    }
    let lines = Self.lines(answer.body).map { $0.map { $0 ?? "" } }
    switch request {
    case .modifyZones(let operations):
      return .zones(operations.map { _ in .zone(Zone(zoneID: KeyValueApp.zoneID, token: nil, isAtomic: false)) })
    case .modifyRecords, .lookupRecords: return .records(lines.map { Self.result($0, by: caller) })
    case .fetchZoneChanges:
      let isLast = lines.dropFirst().first != ["+"]
      let entries = lines.dropFirst(isLast ? 1 : 2).map { Self.change($0, by: caller) }
      let token = ChangeToken(String((lines.first?.first ?? "").dropFirst()))
      return .zoneChanges([
        .changes(ZoneChanges(zoneID: KeyValueApp.zoneID, page: RecordPage(entries), token: token, moreComing: !isLast))
      ])
    default: return .failure(CloudError(.serverRejectedRequest, "this protocol has no such request"))
    }
  }

  private static func result(_ line: [String], by caller: Caller) -> RecordResult {
    if let key = line.first, key.hasPrefix("!") {
      return .failed(
        Name(String(key.dropFirst())), CloudError(CloudErrorCode(rawValue: line[1]) ?? .internalError, line[2]))
    }
    switch change(line, by: caller) {
    case .saved(let record): return .record(record)
    case .deleted(let name, _): return .deleted(name)
    }
  }

  private static func change(_ line: [String], by caller: Caller) -> RecordChange {
    guard line.count == 5 else { return .deleted(recordName: "", changeTag: ChangeTag("")) }
    guard !line[1].isEmpty else { return .deleted(recordName: Name(line[0]), changeTag: ChangeTag(line[2])) }
    var fields = Fields()
    fields[KeyValueApp.field] = .string(line[1])
    let author = Author(userRecordName: caller.userRecordName, deviceID: line[3])
    let written = Authorship(at: WallTime(iso8601: line[4]) ?? WallTime(milliseconds: 0), author: author)
    return .saved(
      Record(
        recordName: Name(line[0]), recordType: KeyValueApp.recordType, fields: EncodedFields(fields),
        changeTag: ChangeTag(line[2]), created: written, modified: written))
  }
}
