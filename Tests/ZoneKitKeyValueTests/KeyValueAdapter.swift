import ZoneKitRecords
import ZoneKitWire

/// A protocol of ten lines, as the smallest second one beside CloudKit. A user has one zone of keys and values.
///
///     PUT  /kv                 makes the zone
///     GET  /kv?since=TOKEN     answers TOKEN, a line with + where more is to come, and the entries changed since
///     POST /kv                 takes entries, one line each, and answers each with its new tag, or with ! and an error
///
/// An entry is a line KEY, VALUE, TAG, with a tab between; an absent value stands for a deletion, an absent tag for a new
/// key. All three are percent-encoded. The fields User and Device of the head say who asks. Errors are the code and the
/// reason as text.
struct KeyValueAdapter: ProtocolAdapter {
  static let zoneID = ZoneID(zoneName: "KeyValue")
  static let container: Name = "kv"
  private static let recordType: Name = "Entry"
  private static let path = "/kv"

  var roots: [String] { ["kv"] }

  // MARK: The server's side

  func call(of request: HTTPRequest, in context: CallContext) throws(CallRefusal) -> Call {
    guard request.path == Self.path else { throw Self.refusal(404, "there is only \(Self.path)") }
    guard let user = request.fields["User"] else { throw Self.refusal(401, "the field User is missing") }
    let asked: CloudRequest
    switch request.method {
    case "PUT": asked = .modifyZones([.create(Self.zoneID)])
    case "GET": asked = .fetchZoneChanges([ZoneChangesQuery(zoneID: Self.zoneID, token: Self.token(in: request))])
    case "POST":
      var operations: [RecordOperation] = []
      for line in Self.lines(request.body) { operations.append(try Self.operation(line)) }
      asked = .modifyRecords(ModifyRecords(zoneID: Self.zoneID, operations: operations, isAtomic: false))
    default: throw Self.refusal(405, "\(Self.path) takes PUT, GET and POST")
    }
    return Call(
      asked, container: Self.container, environment: .development, scope: .private,
      credentials: .caller(Caller(user: Name(user), deviceID: request.fields["Device"]))
    ) { outcome in
      switch outcome {
      case .answered(let response, _): Self.reply(response)
      case .refused(let error): Self.reply(error)
      }
    }
  }

  private static func token(in request: HTTPRequest) -> ChangeToken? {
    guard let query = request.query, query.hasPrefix("since=") else { return nil }
    return HTTPPercent.decode(query.dropFirst(6).utf8).flatMap { $0.isEmpty ? nil : ChangeToken($0) }
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
      tag == nil ? .create : .replace, recordName: Name(key), recordType: recordType, changeTag: tag,
      fields: [NamedFieldChange("value", change)])
  }

  private static func reply(_ response: CloudResponse) -> HTTPReply {
    switch response {
    case .zones: text(200, "")
    case .records(let results): text(200, results.map { line($0) + "\n" }.joined())
    case .zoneChanges(let results): results.first.map(reply) ?? text(500, "internalError: no page")
    case .failure(let error): reply(error)
    case .atomicFailure, .databaseChanges, .subscriptions, .pushToken: text(500, "internalError: another answer")
    }
  }

  private static func reply(_ result: ZoneChangesResult) -> HTTPReply {
    switch result {
    case .failed(_, let error): reply(error)
    case .changes(let changes):
      text(
        200,
        changes.token.text + (changes.moreComing ? "\n+" : "")
          + changes.page.changes.map { "\n" + line($0) }.joined() + "\n")
    }
  }

  private static func reply(_ error: CloudError) -> HTTPReply {
    text(error.code == .changeTokenExpired ? 410 : 409, "\(error.code.rawValue): \(error.reason)")
  }

  private static func line(_ result: RecordResult) -> String {
    switch result {
    case .record(let record): line(.saved(record))
    case .deleted(let name): line(name.text, "", "")
    case .failed(let name, let error): line("!" + (name?.text ?? ""), error.code.rawValue, error.reason)
    }
  }

  private static func line(_ change: RecordChange) -> String {
    switch change {
    case .saved(let record):
      guard case .string(let value)? = (try? record.fields.decoded())?["value"] else {
        return line(record.recordName.text, "?", record.changeTag.text)
      }
      return line(record.recordName.text, value, record.changeTag.text)
    case .deleted(let name, let tag): return line(name.text, "", tag.text)
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
      let since = queries.first?.token.map { "?since=" + HTTPPercent.encode($0.text) } ?? ""
      return ClientRequest("GET", Self.path + since, fields: fields)
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
    case .listZones, .lookupZones, .lookupRecords, .fetchDatabaseChanges, .listSubscriptions, .lookupSubscriptions,
      .modifySubscriptions, .createPushToken, .registerPushToken:
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
      return .zones(operations.map { _ in .zone(Zone(zoneID: Self.zoneID, token: nil, isAtomic: false)) })
    case .modifyRecords: return .records(lines.map { Self.result($0, by: caller) })
    case .fetchZoneChanges:
      let isLast = lines.dropFirst().first != ["+"]
      let entries = lines.dropFirst(isLast ? 1 : 2).map { Self.change($0, by: caller) }
      let token = ChangeToken(lines.first?.first ?? "")
      return .zoneChanges([
        .changes(ZoneChanges(zoneID: Self.zoneID, page: RecordPage(entries), token: token, moreComing: !isLast))
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
    guard line.count == 3 else { return .deleted(recordName: "", changeTag: ChangeTag("")) }
    guard !line[1].isEmpty else { return .deleted(recordName: Name(line[0]), changeTag: ChangeTag(line[2])) }
    var fields = Fields()
    fields["value"] = .string(line[1])
    let nobody = Authorship(at: WallTime(milliseconds: 0), author: Author(caller))
    return .saved(
      Record(
        recordName: Name(line[0]), recordType: recordType, fields: EncodedFields(fields), changeTag: ChangeTag(line[2]),
        created: nobody, modified: nobody))
  }
}
