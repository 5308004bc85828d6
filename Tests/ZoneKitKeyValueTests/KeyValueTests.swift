import Testing
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

@testable import ZoneKitService

/// A second protocol beside CloudKit: one server, one process, one real socket, the same records through both.
@Suite struct KeyValueTests {
  /// A server that speaks both protocols, and clients of it on the same loop.
  private final class World {
    let loop: Loop
    private let server: Server
    private let client: HTTPClient
    private let folder: String
    private let watchdog: Timer

    init() throws {
      let loop = try Loop()
      self.loop = loop
      folder = try Folder.makeTemporary()
      let anyPort = Address.tcp(host: "127.0.0.1", port: 0)
      var options = ServerOptions(
        data: DataDirectory(folder), http: anyPort, push: anyPort, authentication: .open, version: "test")
      options.descriptors = 400
      options.speak(to: [KeyValueApp.app()])
      server = try Server(options, on: loop)
      client = HTTPClient(address: server.http, loop: loop)
      watchdog = Timer(on: loop) {
        Issue.record("the server did not answer within 30 s")
        loop.stop()
      }
    }

    /// Where pushes come from.
    var push: Address { server.pushAddress }

    /// Runs until `stop` was called.
    func run() {
      watchdog.schedule(after: 30_000)
      loop.run()
      watchdog.cancel()
    }

    /// The answer to a request.
    func ask(_ request: ClientRequest) throws -> HTTPResponse {
      var answer: Result<HTTPResponse, MissingAnswer>?
      client.send(request) { [loop] in
        answer = $0
        loop.stop()
      }
      run()
      return try #require(answer).get()
    }

    /// The answer to a request in one of the protocols.
    func ask(
      _ request: CloudRequest, through adapter: any ProtocolAdapter, as caller: Caller
    ) throws -> CloudResponse {
      let database = DatabaseID(
        container: KeyValueApp.container, environment: .development, user: caller.user, scope: .private)
      let answer = try ask(adapter.request(request, of: database, from: caller))
      return adapter.response(answer, to: request, from: caller)
    }

    func end() throws {
      server.close()
      #expect(loop.openHandles == 0)
      try Folder.remove(folder)
    }
  }

  private let keyValue = KeyValueAdapter()
  private let cloudKit = CloudKitAdapter()
  private let nanny = Caller(user: "nanny", deviceID: "A")

  private func write(_ key: Name, _ value: String, over tag: ChangeTag? = nil) -> CloudRequest {
    let change = FieldChange.set(.string(value), isTyped: true, isEncrypted: false)
    let operation = RecordOperation(
      tag == nil ? .create : .replace, recordName: key, recordType: KeyValueApp.recordType, changeTag: tag,
      fields: [NamedFieldChange(KeyValueApp.field, change)])
    return .modifyRecords(
      ModifyRecords(zoneID: KeyValueApp.zoneID, operations: [operation], isAtomic: false))
  }

  private func changes(since token: ChangeToken?) -> CloudRequest {
    .fetchZoneChanges([ZoneChangesQuery(zoneID: KeyValueApp.zoneID, token: token)])
  }

  /// The one record that was written, or the error.
  private func record(_ response: CloudResponse) throws -> Record {
    guard case .records(let results) = response, case .record(let record)? = results.first else {
      throw CloudError(.internalError, "no record was answered: \(response)")
    }
    return record
  }

  private func page(_ response: CloudResponse) throws -> ZoneChanges {
    guard case .zoneChanges(let results) = response, case .changes(let page)? = results.first else {
      throw CloudError(.internalError, "no page was answered: \(response)")
    }
    return page
  }

  private func entries(_ page: ZoneChanges) throws -> [String] {
    try page.page.changes.map { change in
      switch change {
      case .saved(let record): "\(record.recordName)=\(try record.fields.decoded()["value"].map { "\($0)" } ?? "none")"
      case .deleted(let name, _): "\(name) deleted"
      }
    }
  }

  @Test func `records are the same through both protocols`() throws {
    let world = try World()
    _ = try world.ask(.modifyZones([.create(KeyValueApp.zoneID)]), through: keyValue, as: nanny)
    let first = try record(world.ask(write("a b", "tab\there"), through: keyValue, as: nanny))
    let byCloudKit = try page(world.ask(changes(since: nil), through: cloudKit, as: nanny))
    #expect(try entries(byCloudKit) == [#"a b=string("tab\there")"#])
    #expect(byCloudKit.page.changes.compactMap(\.savedTag) == [first.changeTag])

    let second = try record(world.ask(write("a b", "two", over: first.changeTag), through: cloudKit, as: nanny))
    _ = try world.ask(write("c", "three"), through: cloudKit, as: nanny)
    let byKeyValue = try page(world.ask(changes(since: byCloudKit.token), through: keyValue, as: nanny))
    #expect(try entries(byKeyValue) == [#"a b=string("two")"#, #"c=string("three")"#])
    #expect(second.changeTag != first.changeTag)
    try world.end()
  }

  @Test func `a stale tag is refused through both protocols`() throws {
    let world = try World()
    _ = try world.ask(.modifyZones([.create(KeyValueApp.zoneID)]), through: keyValue, as: nanny)
    let first = try record(world.ask(write("a", "1"), through: keyValue, as: nanny))
    _ = try world.ask(write("a", "2", over: first.changeTag), through: cloudKit, as: nanny)
    for adapter in [keyValue, cloudKit] as [any ProtocolAdapter] {
      let response = try world.ask(write("a", "3", over: first.changeTag), through: adapter, as: nanny)
      guard case .records(let results) = response, case .failed(let name, let error)? = results.first else {
        Issue.record("the stale tag was taken: \(response)")
        return
      }
      #expect(name == "a")
      #expect(error.code == .serverRecordChanged)
    }
    try world.end()
  }

  @Test func `accounts are separate in every protocol`() throws {
    let world = try World()
    let other = Caller(user: "other", deviceID: "B")
    for caller in [nanny, other] {
      _ = try world.ask(.modifyZones([.create(KeyValueApp.zoneID)]), through: keyValue, as: caller)
    }
    _ = try world.ask(write("a", "1"), through: keyValue, as: nanny)
    #expect(try page(world.ask(changes(since: nil), through: cloudKit, as: other)).page.count == 0)
    try world.end()
  }

  @Test func `a change of one protocol is pushed to watchers as any other`() throws {
    let world = try World()
    _ = try world.ask(.modifyZones([.create(KeyValueApp.zoneID)]), through: keyValue, as: nanny)
    var reader = LineReader()
    var lines: [PushLine] = []
    let watcher = Connection(to: world.push, on: world.loop)
    watcher.onRead = { bytes in
      reader.append(bytes)
      while let line = try? reader.next(), let read = try? PushLine(line: line) { lines.append(read) }
      world.loop.stop()
    }
    watcher.write(Array(#"{"hello":{"user":"nanny","device":"B"}}"#.utf8) + [0x0A])
    world.run()
    #expect(lines == [.welcome(device: "B", stored: 0)])
    _ = try world.ask(write("a", "1"), through: keyValue, as: nanny)
    if lines.count == 1 { world.run() }
    guard case .notification(let notification)? = lines.last else {
      Issue.record("no notification came: \(lines)")
      return
    }
    #expect(notification.zoneID?.zoneName == KeyValueApp.zoneID.zoneName)
    try world.end()
  }

  @Test(
    arguments: [
      (ClientRequest("DELETE", "/kv", fields: [HTTPField("User", "a")]), 405, "text/plain"),
      (ClientRequest(getting: "/kv"), 401, "text/plain"), (ClientRequest("GET", "/kv/x"), 404, "text/plain"),
      (ClientRequest("POST", "/kv", fields: [HTTPField("User", "a")], body: [0x61]), 400, "text/plain"),
      (ClientRequest(getting: "/kv?since="), 401, "text/plain"),
      (ClientRequest(getting: "/k"), 404, "application/json"),
      (ClientRequest("POST", "/database/1/kv/development/private/none"), 404, "application/json"),
    ])
  func `each protocol refuses in its own form, and what belongs to none in a plain one`(
    request: ClientRequest, status: Int, type: String
  ) throws {
    let world = try World()
    let answer = try world.ask(request)
    #expect(answer.status == status)
    #expect(answer.fields["Content-Type"] == type)
    try world.end()
  }

  @Test func `a token of long ago is refused so that a device starts anew`() throws {
    let world = try World()
    _ = try world.ask(.modifyZones([.create(KeyValueApp.zoneID)]), through: keyValue, as: nanny)
    let response = try world.ask(changes(since: ChangeToken("nonsense")), through: keyValue, as: nanny)
    guard case .failure(let error) = response else {
      Issue.record("the token was taken: \(response)")
      return
    }
    #expect(error.code == .changeTokenExpired || error.code == .invalidArguments)
    try world.end()
  }
}

extension RecordChange {
  /// The tag of a record that was saved.
  fileprivate var savedTag: ChangeTag? {
    switch self {
    case .saved(let record): record.changeTag
    case .deleted: nil
    }
  }
}
