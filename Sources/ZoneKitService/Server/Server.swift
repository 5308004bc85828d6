import Glibc
import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitDocuments
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables
import ZoneKitWire

/// A complete server: one loop on one thread, the cloud over HTTP, and the push socket. It connects files, sockets and
/// services.
package final class Server {
  private let loop: Loop
  private let lock: DirectoryLock
  private let zones: FileZoneService
  private let deviceNames: DeviceNames
  private let accounts: FileAccountService?
  private var realtime: RealtimeService?
  private var rows: RowService?
  private var objects: ObjectService?
  private let listeners: [Listener]
  /// The address for requests, with the actual port.
  package let http: Address
  /// The address for pushes, with the actual port.
  package let pushAddress: Address
  /// The key for requests to `/zonekit/`; nil if none is needed. It is another one each time a server starts.
  package let controlKey: String?
  /// The URL of the tables, the key of apps and that of the server's owner; nil if the server has no tables.
  package let supabase: (url: String, anonymousKey: String, serviceKey: String)?

  /// Locks the cloud's folder and listens. Throws if another process holds the folder, an address is in use, or a file
  /// cannot be read; then nothing is left behind. The server uses the loop and its `onTurnEnd`. Others may open
  /// connections on the same loop.
  package init(_ options: ServerOptions, on loop: Loop) throws(ServiceError) {
    self.loop = loop
    let shares: DescriptorShares
    do {
      shares = DescriptorShares(of: try options.descriptorsToDivide())
    } catch {
      throw ServiceError(error)
    }
    let clock = SystemClock(loop: loop)
    let journal = ServerJournal(version: options.version) { clock.now.wall }
    deviceNames = DeviceNames(in: options.data)
    let push: PushService
    do {
      try StateSwap(data: options.data).finishInterrupted()
      lock = try DirectoryLock(options.data.cloud, details: [])
      if let app = options.documents { try DocumentOwners.note(app, in: options.data.cloud) }
      try ObjectLeftovers(in: options.data.cloud).remove()
      let access = try options.tables.map { (_) throws(StoreError) in
        TableAccess(
          keys: try ServiceKeys(of: options.data.cloud, at: clock.now.wall), isOpen: options.authentication == .open)
      }
      zones = ZoneService(
        store: try CloudFiles(
          root: options.data.cloud, openZoneLimit: shares.openZones, reservesDescriptors: true),
        authentication: Authentication(mode: options.authentication),
        faults: FaultControl(
          isOpen: options.authentication == .open && options.http.isLoopback, limits: options.limits,
          deviceNames: deviceNames),
        policy: options.pushPolicy, journal: journal,
        tables: try options.cloudTables(at: clock.now.wall),
        closedContainers: options.closedContainers
      ) { clock.now }
      push = PushService(of: zones, clock: clock, loop: loop) { journal.record($0) }
      try zones.loadRegistrations()
      accounts = access.map { [zones] in AccountService(access: $0, zones: zones, on: loop) }
      let httpListener = try Listener(
        at: options.http, passed: options.passedSocket(at: options.http), on: loop)
      let pushListener = try Listener(
        at: options.push, passed: options.passedSocket(at: options.push), on: loop
      ) { push.accept($0) }
      listeners = [httpListener, pushListener]
      shares.limit(httpListener, pushListener)
      for signal in SignalWatcher.Signal.allCases where options.endsAtSignals {
        _ = try SignalWatcher(signal, on: loop) { [loop] _ in loop.stop() }
      }
      http = httpListener.address
      let url = "http://\(httpListener.address)"
      supabase = accounts.map { (url, $0.access.keys.anonymousKey, $0.access.keys.serviceKey) }
      pushAddress = pushListener.address
      var generator = SystemGenerator()
      controlKey = options.authentication == .strict ? RandomIdentifier.uuid(using: &generator) : nil
      let key = controlKey.map { [(key: RunningServer.keyName, text: $0)] } ?? []
      let anonymousKey = supabase.map { [(key: RunningServer.anonymousKeyName, text: $0.anonymousKey)] } ?? []
      try lock.note([("http", "\(http)"), ("push", "\(pushAddress)")] + key + anonymousKey)
    } catch {
      loop.closeAll()
      throw ServiceError("\(error)")
    }
    serve(options, push: push, journal: journal, on: listeners[0], shares)
  }

  /// Connects the services with the loop: routes for requests, and the work at the end of a turn.
  private func serve(
    _ options: ServerOptions, push: PushService, journal: ServerJournal, on listener: Listener,
    _ shares: DescriptorShares
  ) {
    let zones = zones
    let clock = SystemClock(loop: loop)
    let server = HTTPServer(HTTPRoutes([:]), loop: loop)
    let health = HealthRoute(of: options.data.cloud, version: options.version, on: loop)
    zones.onFaults = { [unowned zones, unowned server] in server.met(by: zones.words(ofFaults: $0)) }
    deviceNames.greeted = { [unowned push] in push.gateway.namesOfDevices }
    var routes: [String: HTTPRoute] = [:]
    for adapter in options.adapters { routes.merge(zones.routes(adapter, root: "http://\(http)")) { $1 } }
    if let accounts, let app = options.tables {
      routes.merge(tableRoutes(of: app, accounts, options, journal, clock)) { $1 }
    }
    let assets = AssetService(root: options.data.cloud, of: zones, on: loop)
    routes[AssetCall.root] = AssetRoute(assets: assets).route
    let documents = options.documents.map { DocumentService(app: $0, zones: zones) }
    if let documents { routes[DocumentCall.root] = route(of: documents, options, journal) }
    let sockets = realtime
    let report = { [loop, deviceNames, accounts, objects, assets, unowned server] (readers: Int) in
      StatusReport.json(
        data: options.data, zones: zones, accounts: accounts, sockets: sockets, objects: objects,
        assets: assets, push: push, names: deviceNames, journal: journal, requests: server.tally, readers: readers,
        connections: loop.acceptedCount, refused: loop.refusedByAddress, shares)
    }
    let page = pageFeed(options, since: journal.startedAt, clock) { report(0) }
    let events = EventFeed(of: journal, page: page, on: loop) { [accounts] in accounts?.email(of: $0) }
    let control = control(options, documents, push, events) { report(events.readerCount) }
    routes[ControlRoute.root] = control.route
    // The page's own address, and what a browser asks for with it.
    for name in ["", PageRoute.icon] { routes[name] = control.route }
    let metrics = MetricsReport(
      zones: zones, accounts: accounts, sockets: sockets, push: push, journal: journal, server: server, events: events,
      loop: loop, listeners: listeners, shares: shares)
    routes[MetricsRoute.root] = MetricsRoute(access: control.access) { metrics.text(withZones: $0) }.route
    routes[HealthRoute.root] = health.route
    routes[CourierRoute.root] = CourierRoute(push: push).route
    server.routes = HTTPRoutes(routes)
    journal.onCommit = { health.note($0) }
    journal.onChange = { assets.collector.changed($0) }
    assets.collector.start()
    connect(server, to: listener)
    log(options, server, journal, page, clock)
    let delayed = Timer(on: loop) { zones.answerDelayed() }
    let marks = Timer(on: loop) { zones.writeMarks() }
    loop.onTurnEnd = {
      zones.endTurn()
      server.endTurn()
      push.endTurn()
      events.publish()
      server.endTurn()
      sockets?.endTurn()
      if let due = zones.nextDelayedAnswer { delayed.schedule(at: due) }
      if let due = zones.marksDue, !marks.isScheduled { marks.schedule(at: due) }
    }
  }

  /// The control interface. `report` makes the status report.
  private func control(
    _ options: ServerOptions, _ documents: DocumentService?, _ push: PushService, _ events: EventFeed,
    report: @escaping () -> JSON
  ) -> ControlRoute {
    let (zones, accounts, sockets, root) = (zones, accounts, realtime, "http://\(http)")
    return ControlRoute(
      zones: zones, accounts: accounts, rows: rows, documents: documents, push: push, sockets: sockets,
      access: ControlAccess(key: controlKey, isSocket: http.isUnix), events: events,
      page: PageRoute(
        data: options.data, apps: options.apps, cloud: { report()["cloud"] ?? .null },
        verb: zones.isOpen ? options.pageVerb : nil, loop: loop),
      keys: { accounts?.access.keys.document(url: root) },
      notes: FaultNotes(
        names: deviceNames, tables: options.tables, push: push, sockets: sockets, email: { accounts?.email(of: $0) },
        hasRecord: { zones.hasRecord($0, in: $1) }), statusReport: report)
  }

  /// What the live page gets. `report` makes the status report.
  private func pageFeed(
    _ options: ServerOptions, since start: WallTime, _ clock: SystemClock, report: @escaping () -> JSON
  ) -> PageFeed {
    let description: JSON = [
      "startedAt": .string(start.iso8601), "http": .string("\(http)"), "push": .string("\(pushAddress)"),
      "auth": .string(options.authentication.rawValue), "data": .string(options.data.root),
    ]
    let feed = PageFeed(on: loop) { [zones] cache in
      PageObservation(
        data: options.data, apps: options.apps, server: description, status: report(), faults: zones.plannedFaults,
        version: options.version, cache: cache, now: clock.now.wall)
    }
    feed.name = { [deviceNames] in deviceNames.names(of: $0).first }
    return feed
  }

  /// Passes answered requests to the live page, and these and all facts to the log if there is one.
  private func log(
    _ options: ServerOptions, _ server: HTTPServer, _ journal: ServerJournal, _ page: PageFeed, _ clock: SystemClock
  ) {
    let log = options.onLog
    server.onAnswer = {
      let now = clock.now.wall
      page.answered($0, at: now)
      log?(ServerLogLine($0, at: now))
    }
    if let log { journal.onFact = { log(ServerLogLine($0.fact, at: $1)) } }
  }

  /// Joins the HTTP server with what it needs of the listener and the zones.
  private func connect(_ server: HTTPServer, to listener: Listener) {
    listener.onAccept = { server.accept($0) }
    listener.onRefuse = { server.refuse($0) }
    zones.longReader = LongReader(of: zones.snapshots, on: loop) { [unowned server] in server.load.room }
  }

  /// The route of an app's documents.
  private func route(
    of documents: DocumentService, _ options: ServerOptions, _ journal: ServerJournal
  ) -> HTTPRoute {
    DocumentRoute(
      app: documents.app, zones: zones, access: DocumentAccess(mode: options.authentication), journal: journal
    ).route
  }

  /// Makes the services of tables. Returns their routes.
  private func tableRoutes(
    of app: TableApp, _ accounts: FileAccountService, _ options: ServerOptions, _ journal: ServerJournal,
    _ clock: SystemClock
  ) -> [String: HTTPRoute] {
    let access = accounts.access
    let rows = RowService(of: app, zones: zones)
    let sockets = RealtimeService(
      app.schema, isOwn: options.ownTables != nil, of: zones, access: access, names: deviceNames, on: loop
    ) { clock.now }
    let bytes = ObjectBytes(root: options.data.cloud)
    zones.bytes = bytes
    let objects = ObjectService(zones: zones, bytes: bytes)
    (self.rows, realtime, self.objects) = (rows, sockets, objects)
    let auth = AuthRoute(
      accounts: accounts, root: "http://\(http)", tokenLife: options.tokenLife, version: options.version
    )
    return [
      SupabasePart.auth.root: auth.route,
      SupabasePart.rest.root: options.ownTables == nil
        ? RowRoute(rows: rows, access: access).route : RelationRoute(zones: zones, access: access).route,
      SupabasePart.realtime.root: RealtimeRoute(sockets: sockets).route,
      SupabasePart.storage.root: ObjectRoute(objects: objects, access: access) { clock.now }.route,
      SupabasePart.functions.root: FunctionRoute(rows: rows, access: access).route,
    ]
  }

  /// A server with its own loop.
  package convenience init(_ options: ServerOptions) throws(ServiceError) {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    try self.init(options, on: loop)
  }

  /// Serves until SIGTERM or SIGINT, then closes. A signal that arrived since `init` counts. With `reports`, a service
  /// manager hears of that, if there is one.
  package func run(reports: Bool = false) {
    let manager = reports ? ServiceManagerReports(on: loop) : nil
    manager?.ready(at: http)
    loop.run()
    manager?.stopping()
    close()
  }

  /// Closes all connections and files.
  package func close() {
    for listener in listeners { listener.close() }
    realtime?.close()
    accounts?.stopHashing()
    zones.stopReading()
    loop.closeAll()
    zones.close()
  }
}

extension ServerOptions {
  /// The tables over their files; nil if there are none.
  fileprivate func cloudTables(at now: WallTime) throws(ServiceError) -> CloudTables<AccountFiles>? {
    guard let tables else { return nil }
    let accounts = AccountFiles(root: data.cloud, app: tables, reservesDescriptors: true)
    var served = CloudTables(of: tables, store: accounts, limits: accountLimits)
    served.relations = try ownTables?.open(root: data.cloud, app: tables, at: now)
    return served
  }
}
