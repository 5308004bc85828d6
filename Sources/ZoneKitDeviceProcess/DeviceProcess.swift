import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// The process of an app on a device, as one value: the running app, the coordinator over the device's store, the requests
/// on their way, and the link to tables with session, channel and photos. With it come what the device has around the
/// process: the operating system and the connection to the push service. Real and simulated devices drive the same value.
///
/// A driver passes an event, and then calls `next` until `depth` is what it was before. Each call carries out at most one
/// event of the coordinator or of the link. The effects of an event that a driver passes while it carries out another
/// effect come first, unless effects of the same machine are being carried out: then they come after these.
package struct DeviceProcess<Store: DeviceStore, Generator: RandomNumberGenerator> {
  /// An event of the coordinator.
  package typealias Event = (inout SyncCoordinator<Store>, Moment, inout Generator) -> [Effect]
  /// An event of the coordinator that can fail with the store.
  package typealias FallibleEvent = (
    inout SyncCoordinator<Store>, Moment, inout Generator
  ) throws(StoreError) -> [Effect]
  /// An event of the link.
  package typealias LinkEvent = (inout TableLink, MonotonicTime, inout Generator) -> [TableLink.Effect]

  /// The app.
  package let app: DeviceApp
  /// The coordinator of the process, or of the last one. Its store is the device's.
  package var coordinator: SyncCoordinator<Store>
  /// The link to tables; nil if the app has none, or if the process does not run.
  package internal(set) var link: TableLink?
  /// The photos of the app's rows; nil if it has none.
  package internal(set) var photos: PhotoView?
  /// The photos whose bytes are on the device.
  package internal(set) var photoFiles: Set<PhotoName> = []
  /// The running app; nil if it reads the store when it is used next.
  var running: (any RunningApp)?
  /// The upload of local rows; nil if the app has none, or if the process does not run.
  package internal(set) var migration: Migration?
  /// Whether there is a process.
  package private(set) var isRunning = false
  /// Whether the process is suspended: it does nothing and receives nothing.
  package private(set) var isSuspended = false
  /// Whether the app computes and receives from the network.
  package var isComputing: Bool { isRunning && !isSuspended }
  /// Whether the device has a link.
  package internal(set) var hasLink = true
  /// Whether the app's process has a link, as far as it knows. A suspended one does not learn of changes.
  package private(set) var isOnline = true
  /// The operating system between the push service and the app; nil if every push is passed to the app.
  package internal(set) var life: DeviceLife?
  /// The background refreshes of an app with tables; nil for other apps.
  var refresh: BackgroundRefresh?
  /// The connection to the push service.
  var push = PushConnection()
  /// The number of starts and ends of the process. A message for an earlier process is not for this one.
  package private(set) var processNumber = 0
  /// The time zone of the device.
  package var timeZone = TimeZoneRules.utc
  /// The device's random source.
  package var generator: Generator

  /// Whether requests of the coordinator are sent. Those under way go on.
  package var sendsRequests = true

  private let configuration: CoordinatorConfiguration
  private var requests = ReadAhead()
  /// The request that the link carries out; nil for none.
  private var exchange: ReadAhead.Exchange?
  private var mailbox: [DeviceMessage] = []
  private var effects: [Effect] = []
  private var linkEffects: [TableLink.Effect] = []
  var migrationEffects: [Migration.Effect] = []
  private var work: [Work] = []
  /// The sign-in that waits for a backup of the store; nil for none.
  var waitingSignIn: SignIn?
  /// The path of the backup that was made before the sign-in under way; nil for none.
  var backup: String?
  /// The comparison with the server that is under way; nil for none.
  var comparison: Comparison?
  /// The rollback that is under way; nil for none.
  var rollback: Rollback?
  /// The questions without an answer.
  var inquiries: [TableLink.AskID: Inquiry] = [:]
  /// The number of events that the coordinator got.
  package private(set) var eventCount = 0
  /// The bytes that came with the transfer that ended last.
  var received: [UInt8] = []

  /// A device whose process does not run yet, with an operating system if it can hold pushes and suspend the app. Throws if
  /// the store cannot be read.
  package init(
    app: DeviceApp, store: Store, configuration: CoordinatorConfiguration, generator: Generator, life: DeviceLife? = nil
  ) throws(StoreError) {
    self.app = app
    self.life = life
    self.configuration = configuration
    self.generator = generator
    coordinator = try SyncCoordinator(store: store, configuration: configuration)
    guard case .tables(let app) = app.cloud else { return }
    photos = PhotoView(app)
    refresh = BackgroundRefresh()
  }

  /// The number of nested pieces of work; 0 if there is nothing to do.
  package var depth: Int { work.count }

  /// The device's state for the app at that time of its wall clock.
  package func view(at wall: WallTime) -> AppView {
    let coordinator = coordinator
    return AppView(
      store: coordinator.store, account: coordinator.account, wall: wall, timeZone: timeZone,
      hidden: coordinator.hiddenRecords)
  }

  /// The account of tables; nil if there is none.
  package var accountOfTables: UUID? { coordinator.account.flatMap { UUID($0.text) } }

  // MARK: The process

  /// Opens the store for a new process. Throws if it cannot be read.
  package mutating func open() throws(StoreError) {
    coordinator = try SyncCoordinator(store: coordinator.store, configuration: configuration)
  }

  /// Starts the process over the store that was opened, and launches the coordinator for that account, nil for none. The
  /// link to tables gets that session, by default the one in the store. Throws if the store cannot be read.
  package mutating func start(
    account: Name?, session: StoredSession? = nil, at now: MonotonicTime
  ) throws(StoreError) {
    (isRunning, isOnline) = (true, hasLink)
    processNumber += 1
    push.launched()
    var steps = try startLink(session)
    if !hasLink { steps += Self.steps(forLink: false) }
    steps.append(.launch(account: account))
    if let session { steps.append(.tell(.edit(Self.storing(session)))) }
    steps += [.tell(.launched), .wantPush, .repair] + launchSteps(at: now)
    add(steps + photoSteps + [.resumeMigration])
  }

  private mutating func startLink(_ session: StoredSession?) throws(StoreError) -> [Step] {
    guard case .tables(let app) = app.cloud else { return [] }
    link = TableLink(app: app, deviceID: coordinator.deviceID)
    if let session { return [.readMigration, .launchLink(session)] }
    let values = try coordinator.store.appValues()
    // Without an account the store has no rows that a session could send.
    let session = coordinator.account == nil ? nil : values[StoredSession.key]?.text.flatMap { StoredSession($0) }
    return [.readMigration, .launchLink(session)]
  }

  /// Ends the process. The store and the files are unchanged.
  package mutating func end() {
    (isRunning, isSuspended) = (false, false)
    processNumber += 1
    (requests, exchange) = (ReadAhead(), nil)
    (mailbox, effects, linkEffects, migrationEffects, work) = ([], [], [], [], [])
    (link, migration, comparison, rollback, running) = (nil, nil, nil, nil, nil)
    (inquiries, waitingSignIn, backup) = ([:], nil, nil)
    if case .tables(let app) = app.cloud { photos = PhotoView(app) }
    received = []
  }

  /// The operating system suspends the process, which does what is due first.
  package mutating func suspend(at now: MonotonicTime) {
    guard isComputing else { return }
    isSuspended = true
    if let due = link?.nextDeadline, due <= now { add([.tickLink]) }
  }

  /// The operating system resumes the process, which gets the messages that arrived meanwhile.
  mutating func resume() -> DeviceEffect? {
    guard isSuspended else { return nil }
    isSuspended = false
    add([.tick, .tickLink])
    defer { mailbox = [] }
    return .resumed(mailbox)
  }

  // MARK: Events

  /// A message arrived. Returns it if it is to be passed to `receive` now; otherwise it is kept, or lost.
  package mutating func arrived(_ message: DeviceMessage) -> DeviceMessage? {
    guard isRunning else { return nil }
    // An answer does not arrive without a link.
    if case .answer = message, !hasLink { return nil }
    guard isSuspended else { return message }
    mailbox.append(message)
    return nil
  }

  /// The process gets a message.
  package mutating func receive(_ message: DeviceMessage, at now: MonotonicTime) {
    switch message {
    case .answer(let exchange, let answer): answered(exchange, answer)
    case .rows(let id, let outcome) where inquired(id, outcome): return
    case .function(let id, let answer): inquired(id, answer)
    case .rows(let id, let outcome): pass(at: now) { link, now, _ in link.rowsAnswered(id, outcome, at: now) }
    case .relations(let id, let outcome): pass(at: now) { link, now, _ in link.relationsAnswered(id, outcome, at: now) }
    case .account(let id, let outcome): pass(at: now) { link, now, _ in link.accountAnswered(id, outcome, at: now) }
    case .object(let id, let outcome, let bytes):
      received = bytes
      pass(at: now) { $0.objectAnswered(id, outcome, at: $1, using: &$2) }
    case .socketOpened: pass(at: now) { link, now, _ in link.socketOpened(at: now) }
    case .socketClosed: pass(at: now) { $0.socketClosed(at: $1, using: &$2) }
    case .frame(let frame): pass(at: now) { $0.frameReceived(frame, at: $1, using: &$2) }
    case .pushConnected: add([.connectPush])
    case .pushTokenRefused(let isTaken): add([.refusePushToken(coordinator.pushToken, isTaken: isTaken)])
    case .linkChanged(let isOnline):
      self.isOnline = isOnline
      add(Self.steps(forLink: isOnline))
    }
  }

  /// When `tick` has something to do next; nil if only an event can change the state.
  package var nextDeadline: MonotonicTime? {
    let ofSystem = [life?.nextDeadline, refresh?.nextDeadline, push.nextDeadline]
    let ofApp = isComputing ? [coordinator.nextDeadline, link?.nextDeadline] + inquiries.values.map(\.due) : []
    return (ofSystem + ofApp).compactMap { $0 }.min()
  }

  /// A deadline has passed. The app does what is due before the system may suspend it.
  package mutating func tick(at now: MonotonicTime) {
    add(duePushSteps(at: now) + dueLifeSteps(at: now))
    guard isComputing else { return }
    if let due = link?.nextDeadline, due <= now { add([.tickLink]) }
    giveUpInquiries(at: now, because: "no answer in time")
    if let due = coordinator.nextDeadline, due <= now { add([.tick]) }
  }

  /// Passes an event to the coordinator.
  package mutating func pass(at moment: Moment, _ event: Event) {
    eventCount += 1
    effects += event(&coordinator, moment, &generator)
    begin(.coordinator)
  }

  /// The same for an event that can fail with the store. A disk that fails after a write may have kept the write.
  package mutating func attempt(at moment: Moment, _ event: FallibleEvent) throws(StoreError) {
    eventCount += 1
    defer { begin(.coordinator) }
    effects += try event(&coordinator, moment, &generator)
  }

  /// Passes an event to the link. Does nothing if the app has no tables.
  package mutating func pass(at now: MonotonicTime, _ event: LinkEvent) {
    guard var link = link.take() else { return }
    link.deviceID = coordinator.deviceID
    linkEffects += event(&link, now, &generator)
    self.link = link
    begin(.link)
  }

  /// The app changes records, and its own values, in one transaction. Throws if the store fails, and then nothing was
  /// written as far as the app knows.
  package mutating func edit(
    _ edits: [RecordEdit], setting values: [AppValueChange] = [], at moment: Moment
  ) throws(StoreError) {
    let depth = depth
    defer { refresh(edits.map(\.recordID), at: moment.wall) }
    try attempt(at: moment) { (coordinator, moment, generator) throws(StoreError) in
      try coordinator.edit(edits, setting: values, at: moment, using: &generator)
    }
    add(photoSteps(after: edits, values), above: depth)
  }

  private static func steps(forLink isOnline: Bool) -> [Step] {
    [.tablesLinkChanged(isOnline: isOnline), .linkChanged(isOnline: isOnline)]
  }

  /// The tables of which rows were moved since the last call.
  package mutating func takeMovedTables() -> MovedTables { link?.takeMovedTables() ?? MovedTables() }

  // MARK: Work

  /// The machines whose effects the process carries out.
  enum Machine: Equatable {
    case coordinator
    case link
    case migration
  }

  /// Something that is being carried out.
  private enum Work {
    case effects(of: Machine)
    case steps(ArraySlice<Step>)
  }

  /// Carries out the effects of a machine, unless that is under way.
  mutating func begin(_ machine: Machine) {
    let isUnderWay = work.contains { if case .effects(machine) = $0 { true } else { false } }
    if !isUnderWay { work.append(.effects(of: machine)) }
  }

  /// Carries out steps, before what is being carried out.
  mutating func add(_ steps: [Step]) { if !steps.isEmpty { work.append(.steps(steps[...])) } }

  /// Carries out steps after everything that began since the work had that depth.
  mutating func add(_ steps: [Step], above depth: Int) { work.insert(.steps(steps[...]), at: depth) }

  /// Carries on. Returns what the driver has to do; nil if there is nothing for it.
  package mutating func next(at moment: Moment) -> DeviceEffect? {
    switch work.last {
    case nil: return nil
    case .steps(var steps):
      guard let step = steps.popFirst() else {
        work.removeLast()
        return nil
      }
      work[work.endIndex - 1] = .steps(steps)
      return carryOut(step, at: moment)
    case .effects(of: .coordinator):
      guard !effects.isEmpty else {
        work.removeLast()
        if migration?.isRunning == true { add([.progressMigration]) }
        return .settled
      }
      return carryOut(effects.removeFirst(), at: moment.wall)
    case .effects(of: .link):
      guard !linkEffects.isEmpty else {
        work.removeLast()
        return .linkSettled
      }
      return carryOut(linkEffects.removeFirst(), at: moment)
    case .effects(of: .migration):
      guard !migrationEffects.isEmpty else {
        work.removeLast()
        return nil
      }
      return carryOut(migrationEffects.removeFirst(), at: moment)
    }
  }

  // MARK: Requests

  private mutating func answered(_ exchange: ReadAhead.Exchange, _ answer: Result<CloudResponse, CloudError>) {
    add(steps(for: requests.answered(exchange, answer)))
  }

  private func steps(for effects: [ReadAhead.Effect]) -> [Step] {
    effects.flatMap { effect -> [Step] in
      switch effect {
      case .send(let exchange): [.send(exchange)]
      case .pass(let id, let answer): [.tell(.receives(id, answer)), .receive(id, answer), .settleRequests]
      }
    }
  }

  /// The coordinator makes a request.
  mutating func ask(_ request: CloudRequest, as id: RequestID) { add(steps(for: requests.asked(request, as: id))) }

  /// Sends a request to the cloud: over the link if the cloud is one of tables.
  mutating func send(_ exchange: ReadAhead.Exchange, at now: MonotonicTime) -> DeviceEffect? {
    guard sendsRequests else { return nil }
    guard link != nil else { return .send(exchange) }
    let isAbandoned = self.exchange != nil
    self.exchange = exchange
    pass(at: now) { link, now, _ in link.ask(exchange.request, ticket: exchange.number, at: now) }
    return isAbandoned ? .requestAbandoned : nil
  }

  /// The link has the answer to a request of the coordinator.
  mutating func answered(_ ticket: TableLink.Ticket, _ answer: Result<CloudResponse, CloudError>) {
    guard let exchange, exchange.number == ticket else { return }
    self.exchange = nil
    answered(exchange, answer)
  }

  /// The link was lost, and with it the request under way.
  mutating func abandonExchange() { exchange = nil }

  /// The coordinator has reacted to the last answer.
  mutating func settleRequests() { requests.settled() }
}
