import Testing
import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator
import ZoneKitStorage
import ZoneKitSync

/// Devices and a server in one process, on one loop, over sockets.
struct DeviceClientTests {
  /// A server with its data directory.
  private final class Stage {
    let loop: Loop
    let server: Server
    let world: StoresWorld

    init() throws {
      loop = try Loop()
      world = try StoresWorld()
      let anyPort = Address.tcp(host: "127.0.0.1", port: 0)
      var options = ServerOptions(
        data: world.data, http: anyPort, push: anyPort, authentication: .open, version: "test")
      options.descriptors = 400
      server = try Server(options, on: loop)
    }

    /// A device with the plain app, which has launched.
    func device(
      _ name: String, user: Name? = "nanny", app: DeviceApp = ItemsApp.app, startsOffline: Bool = false
    ) throws -> DeviceClient {
      var options = DeviceOptions(
        name: name, data: world.data, server: server.http, push: server.pushAddress, app: app, unmarkedApp: "Old")
      options.user = user
      options.startsOffline = startsOffline
      options.hasLife = true
      options.app.configuration.pacing.quiet = 10
      let client = try DeviceClient(options, loop: loop)
      try client.launch()
      return client
    }

    /// Runs the loop until it is so; fails the test where it does not come about in ten seconds.
    func run(until isSo: @escaping () -> Bool, _ location: SourceLocation = #_sourceLocation) {
      let end = loop.now + 10_000
      var next: Timer?
      let timer = Timer(on: loop) { [loop] in
        if isSo() || loop.now >= end { loop.stop() } else { next?.schedule(after: 5) }
      }
      next = timer
      timer.schedule(after: 0)
      loop.run()
      timer.close()
      next = nil
      #expect(isSo(), "it does not come about", sourceLocation: location)
    }

    deinit { loop.closeAll() }
  }

  private static let id = RecordID(recordName: "i1", zoneID: ZoneID(zoneName: "Items"))

  private static func save(_ text: String, on client: DeviceClient) throws {
    try client.edit(try client.answer(to: "save i1 a \(text)").edits)
  }

  /// The text that a device shows.
  private static func text(on client: DeviceClient) -> String? {
    let fields = try? client.coordinator.store.record(id)?.local?.fields.decoded()
    guard case .string(let text)? = fields?["a"] else { return nil }
    return text
  }

  private static func isSettled(_ client: DeviceClient) -> Bool {
    client.coordinator.isIdle && client.coordinator.pushToken != nil
  }

  // MARK: Tests

  @Test func `what one device saves a push brings to the other`() throws {
    let stage = try Stage()
    let (a, b) = (try stage.device("A"), try stage.device("B"))
    var shown: [RecordID] = []
    b.onRemoteChange = { shown += $0 }
    stage.run { Self.isSettled(a) && Self.isSettled(b) }
    try Self.save("x", on: a)
    stage.run { Self.text(on: b) == "x" }
    #expect(shown == [Self.id])
    for client in [a, b] { client.close() }
  }

  @Test func `an edit made without a link is sent when there is one`() throws {
    let stage = try Stage()
    let (a, b) = (try stage.device("A", startsOffline: true), try stage.device("B"))
    try Self.save("x", on: a)
    stage.run { Self.isSettled(b) }
    #expect(Self.text(on: b) == nil)
    a.setLink(isOnline: true)
    stage.run { Self.text(on: b) == "x" }
    for client in [a, b] { client.close() }
  }

  @Test func `a push resumes a suspended app`() throws {
    let stage = try Stage()
    let (a, b) = (try stage.device("A"), try stage.device("B"))
    stage.run { Self.isSettled(a) && Self.isSettled(b) }
    b.act { $0.suspend(at: $1.monotonic) }
    #expect(b.appState == .suspended)
    try Self.save("x", on: a)
    stage.run { b.appState == .running }
    stage.run { Self.text(on: b) == "x" }
    for client in [a, b] { client.close() }
  }

  @Test func `an ended app gets no events, and launched again it has the content of its store`() throws {
    let stage = try Stage()
    let (a, b) = (try stage.device("A"), try stage.device("B"))
    try Self.save("x", on: b)
    stage.run { Self.text(on: a) == "x" && Self.isSettled(b) }
    b.forceQuit()
    #expect(b.appState == .ended)
    try Self.save("y", on: a)
    stage.run { Self.isSettled(a) && (try? a.coordinator.store.census().pending) == 0 }
    #expect(Self.text(on: b) == "x")
    b.act { $0.enteredForeground(at: $1.monotonic) }
    #expect(b.appState == .running)
    stage.run { Self.text(on: b) == "y" }
    for client in [a, b] { client.close() }
  }

  @Test func `another account sees nothing of the first one's`() throws {
    let stage = try Stage()
    let a = try stage.device("A")
    try Self.save("x", on: a)
    stage.run { Self.isSettled(a) && (try? a.coordinator.store.census().pending) == 0 }
    try a.signIn("tom")
    #expect(a.account == "tom")
    #expect(Self.text(on: a) == nil)
    try a.signIn("nanny")
    stage.run { Self.text(on: a) == "x" }
    a.close()
  }

  @Test func `a device without a server keeps what was saved and sends it later`() throws {
    let stage = try Stage()
    var options = DeviceOptions(
      name: "A", data: stage.world.data, server: .unix(path: "\(stage.world.root)/none"),
      push: .unix(path: "\(stage.world.root)/none"), app: ItemsApp.app, unmarkedApp: "Old")
    options.user = "nanny"
    do {
      let loop = try Loop()
      let lonely = try DeviceClient(options, loop: loop)
      try lonely.launch()
      try Self.save("x", on: lonely)
      // The first answers are refusals of the connections.
      lonely.onFact = { fact in if case .syncFailed = fact { loop.stop() } }
      loop.run()
      #expect(try lonely.coordinator.store.census().pending == 1)
      lonely.close()
      loop.closeAll()
    }
    let (a, b) = (try stage.device("A"), try stage.device("B"))
    stage.run { Self.text(on: b) == "x" }
    for client in [a, b] { client.close() }
  }

  @Test(arguments: [DatabaseScope.private, .shared])
  func `a device asks the database of its app's scope`(scope: DatabaseScope) throws {
    let stage = try Stage()
    var app = ItemsApp.app
    app.configuration.traits.scope = scope
    let a = try stage.device("A", app: app)
    stage.run { Self.isSettled(a) }
    a.close()
    let cloud = CloudFiles.readOnly(root: stage.world.data.cloud)
    let subscribed = try cloud.databases().filter { try !cloud.database($0).subscriptions.isEmpty }
    #expect(subscribed.map(\.scope) == [scope])
  }

  @Test func `a store of another app is refused with both names, and is left as it is`() throws {
    let stage = try Stage()
    do {
      try stage.device("A").close()
    }
    var other = ItemsApp.app
    other.name = "Other"
    let error = #expect(throws: ServiceError.self) { try stage.device("A", app: other) }
    #expect(error?.description.contains("the store was made by the app Items, and is not Other's") == true)
    #expect(try stage.world.data.owner(ofDevice: "A", unmarkedApp: "Old")?.app == "Items")
  }

  @Test func `a used store without a mark belongs to the app of unmarked stores, an unused one to its first`() throws {
    let stage = try Stage()
    try stage.world.makeDevice("A")
    #expect(throws: ServiceError.self) { try stage.device("A") }
    var old = ItemsApp.app
    old.name = "Old"
    try stage.device("A", app: old).close()
    #expect(try stage.world.device("A").app() == "Old")
    _ = try DeviceFile(folder: try stage.world.data.device("B"))
    #expect(try stage.world.data.owner(ofDevice: "B", unmarkedApp: "Old") == nil)
    try stage.device("B").close()
    #expect(try stage.world.device("B").app() == "Items")
  }
}
