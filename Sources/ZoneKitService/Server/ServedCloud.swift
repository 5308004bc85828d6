import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitDocuments
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables
import ZoneKitWire

/// The cloud that a server serves, from the opening of its files to their closing: services over stores, with the routes to
/// them.
final class ServedCloud {
  private let options: ServerOptions
  private let shares: DescriptorShares
  private let loop: Loop
  /// The lock of the cloud's folder; nil after `close`.
  private var lock: DirectoryLock?
  private let clock: SystemClock
  private let journal: ServerJournal
  private let zones: FileZoneService
  private let deviceNames: DeviceNames
  private let accounts: FileAccountService?
  private let push: PushService
  private var realtime: RealtimeService?
  private var rows: RowService?
  private var objects: ObjectService?
  private var signIn: SignInRoute<CloudFiles, AccountFiles>?

  /// Locks the cloud's folder and opens its files, after it has finished a restore that was interrupted. Throws if another
  /// process holds the folder, or a file cannot be read.
  init(_ options: ServerOptions, _ shares: DescriptorShares, on loop: Loop) throws {
    (self.options, self.shares, self.loop) = (options, shares, loop)
    let clock = SystemClock(loop: loop)
    let journal = ServerJournal(version: options.version) { clock.now.wall }
    (self.clock, self.journal) = (clock, journal)
    deviceNames = DeviceNames(in: options.data)
    try StateSwap(data: options.data).finishInterrupted()
    lock = try DirectoryLock(options.data.cloud)
    if let app = options.documents { try DocumentOwners.note(app, in: options.data.cloud) }
    try ObjectLeftovers(in: options.data.cloud).remove()
    let access = try options.tables.map { (_) throws(StoreError) in
      TableAccess(
        keys: try ServiceKeys(of: options.data.cloud, at: clock.now.wall), isOpen: options.authentication == .open)
    }
    zones = ZoneService(
      store: try CloudFiles(
        root: options.data.cloud, openZoneLimit: shares.openZones, reservesDescriptors: true),
      authentication: options.access, credentials: try CredentialFile(checking: options.data),
      faults: FaultControl(
        isOpen: options.authentication == .open && options.http.isLoopback, limits: options.limits,
        deviceNames: deviceNames),
      policy: options.pushPolicy, rules: options.rules, journal: journal,
      tables: try options.cloudTables(at: clock.now.wall),
      closedContainers: options.closedContainers
    ) { clock.now }
    push = PushService(of: zones, clock: clock, loop: loop) { journal.record($0) }
    try zones.loadRegistrations()
    accounts = access.map { [zones] in AccountService(access: $0, zones: zones, on: loop) }
  }

  /// The keys of the tables: that of apps and that of the server's owner; nil if there are no tables.
  var keys: (anonymous: String, service: String)? {
    accounts.map { ($0.access.keys.anonymousKey, $0.access.keys.serviceKey) }
  }

  /// Has the same faults and limits as another cloud.
  func takeFaults(of other: ServedCloud) { zones.takeFaults(of: other.zones) }

  /// Serves the connections of that place. `standAside` is called when another process waits for the files.
  func serve(_ place: ServerPlace, standAside: @escaping () -> Void) throws(StoreError) {
    let key = place.controlKey.map { [(key: RunningServer.keyName, text: $0)] } ?? []
    let anonymousKey = keys.map { [(key: RunningServer.anonymousKeyName, text: $0.anonymous)] } ?? []
    try lock?.note([("http", "\(place.http)"), ("push", "\(place.push)")] + key + anonymousKey)
    connect(place, standAside)
    let (server, push) = (place.server, push)
    place.requests.onRefuse = { server.refuse($0) }
    place.requests.onAccept = { server.accept($0) }
    place.pushes.onAccept = { push.accept($0) }
  }

  /// Closes the connections and the files. `end` closes the handles of the loop.
  func close(_ end: () -> Void) {
    realtime?.close()
    accounts?.stopHashing()
    signIn?.stopHashing()
    zones.stopReading()
    end()
    zones.close()
    lock = nil
  }

  /// Connects the services with the loop: routes for requests, and the work at the end of a turn.
  private func connect(_ place: ServerPlace, _ standAside: @escaping () -> Void) {
    let (zones, push, server) = (zones, push, place.server)
    let health = HealthRoute(of: options.data.cloud, version: options.version, on: loop)
    zones.onFaults = { [unowned zones, unowned server] in server.met(by: zones.words(ofFaults: $0)) }
    deviceNames.greeted = { [unowned push] in push.gateway.namesOfDevices }
    var routes: [String: HTTPRoute] = [:]
    for adapter in options.adapters { routes.merge(zones.routes(adapter, root: place.url)) { $1 } }
    if let accounts, let app = options.tables {
      routes.merge(tableRoutes(of: app, accounts, at: place)) { $1 }
    }
    let assets = AssetService(root: options.data.cloud, of: zones, on: loop)
    routes[AssetCall.root] = AssetRoute(assets: assets).route
    let documents = options.documents.map { DocumentService(app: $0, zones: zones) }
    if let documents { routes[DocumentCall.root] = route(of: documents) }
    let sockets = realtime
    let report = { [options, shares, journal, loop, deviceNames, accounts, objects, unowned server] (readers: Int) in
      StatusReport.json(
        data: options.data, zones: zones, accounts: accounts, sockets: sockets, objects: objects, assets: assets,
        push: push, names: deviceNames, journal: journal, requests: server.tally, readers: readers,
        connections: loop.acceptedCount, refused: loop.refusedByAddress, shares)
    }
    let page = pageFeed(place) { report(0) }
    let events = EventFeed(of: journal, page: page, on: loop) { [accounts] in accounts?.email(of: $0) }
    let control = control(place, documents, events, standAside) { report(events.readerCount) }
    routes[ControlRoute.root] = control.route
    routes[SignInTicket.root] = signInRoute()
    // The page's own address, and what a browser asks for with it.
    for name in ["", PageRoute.icon] { routes[name] = control.route }
    let metrics = MetricsReport(
      zones: zones, accounts: accounts, sockets: sockets, push: push, journal: journal, server: server, events: events,
      loop: loop, listeners: [place.requests, place.pushes], shares: shares)
    routes[MetricsRoute.root] = MetricsRoute(access: control.access) { metrics.text(withZones: $0) }.route
    routes[HealthRoute.root] = health.route
    routes[CourierRoute.root] = CourierRoute(push: push).route
    server.routes = HTTPRoutes(routes)
    journal.onCommit = { health.note($0) }
    journal.onChange = { assets.collector.changed($0) }
    assets.collector.start()
    zones.longReader = LongReader(of: zones.snapshots, on: loop) { [unowned server] in server.load.room }
    log(server, page)
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
    _ place: ServerPlace, _ documents: DocumentService?, _ events: EventFeed, _ standAside: @escaping () -> Void,
    report: @escaping () -> JSON
  ) -> ControlRoute {
    let (zones, accounts, sockets, root) = (zones, accounts, realtime, place.url)
    return ControlRoute(
      zones: zones, accounts: accounts, rows: rows, documents: documents, push: push, sockets: sockets,
      access: ControlAccess(key: place.controlKey, isSocket: place.http.isUnix), events: events,
      page: PageRoute(
        data: options.data, apps: options.apps, cloud: { report()["cloud"] ?? .null },
        verb: zones.isOpen ? options.pageVerb : nil, loop: loop),
      keys: { accounts?.access.keys.document(url: root) },
      notes: FaultNotes(
        names: deviceNames, tables: options.tables, push: push, sockets: sockets, email: { accounts?.email(of: $0) },
        hasRecord: { zones.hasRecord($0, in: $1) }), data: options.data, standAside: standAside,
      statusReport: report)
  }

  /// What the live page gets. `report` makes the status report.
  private func pageFeed(_ place: ServerPlace, report: @escaping () -> JSON) -> PageFeed {
    let description: JSON = [
      "startedAt": .string(journal.startedAt.iso8601), "http": .string("\(place.http)"),
      "push": .string("\(place.push)"), "auth": .string(options.authentication.rawValue),
      "data": .string(options.data.root),
    ]
    let feed = PageFeed(on: loop) { [zones, options, clock] cache in
      PageObservation(
        data: options.data, apps: options.apps, server: description, status: report(), faults: zones.plannedFaults,
        version: options.version, cache: cache, now: clock.now.wall)
    }
    feed.name = { [deviceNames] in deviceNames.names(of: $0).first }
    return feed
  }

  /// Passes answered requests to the live page, and these and all facts to the log if there is one.
  private func log(_ server: HTTPServer, _ page: PageFeed) {
    let log = options.onLog
    server.onAnswer = { [clock] in
      let now = clock.now.wall
      page.answered($0, at: now)
      log?(ServerLogLine($0, at: now))
    }
    if let log { journal.onFact = { log(ServerLogLine($0.fact, at: $1)) } }
  }

  /// The route of an app's documents.
  private func route(of documents: DocumentService) -> HTTPRoute {
    DocumentRoute(
      app: documents.app, zones: zones, access: DocumentAccess(mode: options.authentication), journal: journal
    ).route
  }

  /// Makes the sign-in page. Returns its route.
  private func signInRoute() -> HTTPRoute {
    let page = SignInRoute(of: zones, CredentialFile(of: options.data), on: loop)
    signIn = page
    return page.route
  }

  /// Makes the services of tables. Returns their routes.
  private func tableRoutes(
    of app: TableApp, _ accounts: FileAccountService, at place: ServerPlace
  ) -> [String: HTTPRoute] {
    let access = accounts.access
    let rows = RowService(of: app, zones: zones)
    let sockets = RealtimeService(
      app.schema, isOwn: options.ownTables != nil, of: zones, access: access, names: deviceNames, on: loop
    ) { [clock] in clock.now }
    let bytes = ObjectBytes(root: options.data.cloud)
    zones.bytes = bytes
    let objects = ObjectService(zones: zones, bytes: bytes)
    (self.rows, realtime, self.objects) = (rows, sockets, objects)
    let auth = AuthRoute(
      accounts: accounts, root: place.url, tokenLife: options.tokenLife, version: options.version
    )
    return [
      SupabasePart.auth.root: auth.route,
      SupabasePart.rest.root: options.ownTables == nil
        ? RowRoute(rows: rows, access: access).route : RelationRoute(zones: zones, access: access).route,
      SupabasePart.realtime.root: RealtimeRoute(sockets: sockets).route,
      SupabasePart.storage.root: ObjectRoute(objects: objects, access: access) { [clock] in clock.now }.route,
      SupabasePart.functions.root: FunctionRoute(rows: rows, access: access).route,
    ]
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
