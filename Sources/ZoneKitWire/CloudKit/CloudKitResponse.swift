import ZoneKitRecords

/// An answer of CloudKit Web Services: HTTP status and body.
package struct CloudKitResponse: Hashable, Sendable {
  /// The HTTP status.
  package var status: Int
  /// The JSON body.
  package var body: [UInt8]
  /// The seconds of a `Retry-After` header, if the error has a retry time (CloudKit Web Services, d.1).
  package var retryAfterSeconds: Int64?
  /// The methods of an `Allow` header; empty unless the request had a wrong method.
  package var allowedMethods: [String] = []

  /// The answer with the cloud's response to a request of that caller. `uuid` identifies the answer in errors; `root`
  /// is the server's own URL, such as `http://127.0.0.1:7440`.
  package init(_ response: CloudResponse, to request: CloudKitRequest, of caller: Caller, uuid: String, root: String) {
    let zones = ZoneWriter(
      userRecordName: caller.userRecordName, root: root, database: request.route.database(of: caller))
    switch response {
    case .failure(let error):
      self.init(error, uuid: uuid, redirectURL: request.ticket.url(root: root))
    case .atomicFailure(let results):
      var body = Self.records(results, request: request, zones: zones)
      Self.appendAtomicError(uuid: uuid, to: &body)
      self.init(status: WebErrorCode.atomicError.status, body: body)
    case .records(let results):
      self.init(status: 200, body: Self.records(results, request: request, zones: zones))
    case .uploads(let tokens): self.init(status: 200, body: Self.uploads(tokens, root: root))
    case .assets(let results): self.init(status: 200, body: Self.list("assets", results, Self.append))
    case .zones(let results):
      self.init(status: 200, body: Self.list("zones", results, zones.append))
    case .queries(let results): self.init(results, to: request, zones: zones, uuid: uuid)
    case .databaseChanges(let changes):
      let isMeta = request.route.endpoint == .zonesChanges
      self.init(status: 200, body: Self.databaseChanges(changes, isMeta: isMeta, zones: zones))
    case .zoneChanges(let results) where request.route.endpoint == .recordsChanges:
      self.init(results, toChangesOf: request, zones: zones, uuid: uuid)
    case .zoneChanges(let results):
      self.init(status: 200, body: Self.zoneChanges(results, shape: request.shape, zones: zones))
    case .subscriptions(let results):
      let writer = SubscriptionWriter(userRecordName: caller.userRecordName)
      self.init(status: 200, body: Self.list("subscriptions", results, writer.append))
    case .users(let results):
      self.init(status: 200, body: Self.users(results, to: request.route.endpoint))
    case .shares(let results):
      let writer = ShareWriter(zones: zones)
      self.init(status: 200, body: Self.list("results", results, writer.append))
    case .pushToken(let environment, let token):
      self.init(status: 200, body: Self.pushToken(environment: environment, token: token, root: root))
    }
  }

  /// The answer with an error of the whole request. `redirectURL` is where a user signs in, if that is what is missing.
  package init(_ error: CloudError, uuid: String, redirectURL: String? = nil) {
    let code = WebErrorCode(error.code)
    status = code.status
    body = ErrorCodec.body(error, uuid: uuid, redirectURL: code == .authenticationRequired ? redirectURL : nil)
    retryAfterSeconds = error.retryAfterMilliseconds.map { $0 / 1000 + ($0 % 1000 > 0 ? 1 : 0) }
  }

  /// The answer to a request that cannot be read.
  package init(_ failure: RequestFailure, uuid: String) {
    switch failure {
    case .notFound(let reason): self.init(CloudError(.unknownItem, reason), uuid: uuid)
    case .badRequest(let reason): self.init(CloudError(.invalidArguments, reason), uuid: uuid)
    case .methodNotAllowed(let methods):
      let reason = "this endpoint takes \(methods.joined(separator: " and "))"
      self.init(CloudError(.invalidArguments, reason), uuid: uuid)
      status = 405
      allowedMethods = methods
    }
  }

  init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }

  // MARK: Records

  private static func records(_ results: [RecordResult], request: CloudKitRequest, zones: ZoneWriter) -> [UInt8] {
    let zoneID = (request.request.recordZoneID ?? .defaultZone).resolved(for: zones.userRecordName)
    let writer = RecordWriter(zoneID: zoneID, zones: zones)
    var body: [UInt8] = []
    body.reserveCapacity(results.reduce(64) { $0 + writer.room + $1.fieldBytes })
    body.append(literal: "{\"records\":[")
    for (index, result) in results.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      writer.append(result, as: request.shape.item(at: index), to: &body)
    }
    body.append(literal: "]}")
    return body
  }

  /// Written besides the items, so that a client that looks for a top-level error finds one (CloudKit Web Services,
  /// c.2).
  private static func appendAtomicError(uuid: String, to body: inout [UInt8]) {
    body.removeLast()
    body.append(literal: ",\"uuid\":")
    body.appendJSONString(uuid)
    body.append(UInt8(ascii: ","))
    let error = CloudError(.batchRequestFailed, "one operation failed, so none was done; see the items")
    ErrorCodec.appendMembers(error, to: &body)
    body.append(UInt8(ascii: "}"))
  }

  // MARK: Feeds

  private static func databaseChanges(_ changes: DatabaseChanges, isMeta: Bool, zones: ZoneWriter) -> [UInt8] {
    var body = list("zones", changes.zones, zones.append)
    body.removeLast()
    guard !isMeta else {
      let token = MetaToken.text(of: changes.token)
      body.append(literal: ",\"metaSyncToken\":\"\(token)\"")
      appendPosition(ChangeToken(token), moreComing: changes.moreComing, to: &body)
      return body
    }
    appendPosition(changes.token, moreComing: changes.moreComing, to: &body)
    return body
  }

  private static func zoneChanges(
    _ results: [ZoneChangesResult], shape: ResponseShape, zones: ZoneWriter
  ) -> [UInt8] {
    var body: [UInt8] = []
    body.append(literal: "{\"zones\":[")
    for (index, result) in results.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      switch result {
      case .failed(let zoneID, let error): zones.append(.failed(zoneID, error), to: &body)
      case .changes(let changes): append(changes, as: shape.item(at: index), zones: zones, to: &body)
      }
    }
    body.append(literal: "]}")
    return body
  }

  private static func append(
    _ changes: ZoneChanges, as shape: ItemShape, zones: ZoneWriter, to body: inout [UInt8]
  ) {
    let writer = RecordWriter(zoneID: changes.zoneID, zones: zones)
    body.makeRoom(for: changes.page.bytes.count + changes.page.count * writer.room)
    body.append(literal: "{\"zoneID\":")
    zones.append(changes.zoneID, withType: true, to: &body)
    body.append(literal: ",\"records\":[")
    writer.append(changes.page, as: shape, to: &body)
    body.append(UInt8(ascii: "]"))
    appendPosition(changes.token, moreComing: changes.moreComing, to: &body)
  }

  static func appendPosition(_ token: ChangeToken, moreComing: Bool, to body: inout [UInt8]) {
    ZoneWriter.append(token, to: &body)
    body.append(literal: moreComing ? ",\"moreComing\":true}" : ",\"moreComing\":false}")
  }

  // MARK: Assets

  private static func uploads(_ tokens: [AssetUploadToken], root: String) -> [UInt8] {
    let items = tokens.map { token -> JSON in
      [
        "recordName": .string(token.recordName.text), "fieldName": .string(token.fieldName.text),
        "url": .string(AssetCall.uploadURL(root: root, token: token.token)),
      ]
    }
    return (["tokens": .array(items)] as JSON).bytes()
  }

  private static func append(_ result: AssetResult, to output: inout [UInt8]) {
    switch result {
    case .asset(let asset): output.appendJSON(AssetReplyWriter.receipt(asset))
    case .failed(let place, let error):
      output.append(literal: "{\"recordName\":")
      output.appendJSONString(place.recordName.text.errorText)
      output.append(literal: ",\"fieldName\":")
      output.appendJSONString(place.fieldName.text.errorText)
      output.append(UInt8(ascii: ","))
      ErrorCodec.appendMembers(error, to: &output)
      output.append(UInt8(ascii: "}"))
    }
  }

  // MARK: Other requests

  private static func list<Item>(
    _ name: String, _ items: [Item], _ appendItem: (Item, inout [UInt8]) -> Void
  ) -> [UInt8] {
    var body: [UInt8] = []
    body.append(literal: "{\"\(name)\":[")
    for (index, item) in items.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      appendItem(item, &body)
    }
    body.append(literal: "]}")
    return body
  }

  /// The answer with users. The endpoints have different forms.
  private static func users(_ results: [UserResult], to endpoint: Endpoint) -> [UInt8] {
    switch (endpoint, results.first) {
    case (.usersCaller, .user(let user, let lookup)?): UserCodec.caller(user, lookup).bytes()
    case (.usersCurrent, .user(let user, _)?): UserCodec.current(user).bytes()
    case (.usersLookupEmail, _), (.usersLookupID, _): list("users", results, UserCodec.appendUser)
    default: list("users", results, UserCodec.appendIdentity)
    }
  }

  /// The answer with a push token and the URL of the web courier (CloudKit Web Services, f.1).
  private static func pushToken(environment: Environment, token: String, root: String) -> [UInt8] {
    let courier = "\(root)/aps?tok=\(HTTPPercent.encode(token))&ttl=43200"
    let json: JSON = [
      "apnsEnvironment": .string(environment.rawValue), "apnsToken": .string(token), "webcourierURL": .string(courier),
    ]
    return json.bytes()
  }
}

extension RecordResult {
  fileprivate var fieldBytes: Int {
    switch self {
    case .record(let record), .kept(let record): record.fields.utf8.count
    case .deleted, .failed: 0
    }
  }
}

extension [UInt8] {
  /// Reserves capacity for `more` bytes. At least doubles the capacity, so that many small steps do not copy everything
  /// each time.
  mutating func makeRoom(for more: Int) {
    guard count + more > capacity else { return }
    reserveCapacity(Swift.max(count + more, 2 * capacity))
  }
}
