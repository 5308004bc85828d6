import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The driver of the cloud's process. It passes messages in, and hands what the process returns to those who wait for it,
/// to the push socket and to the journal. It has no access to sockets and knows no protocol.
final class ZoneService<Store: ZoneStore, Accounts: AccountStore> {
  var process: CloudProcess<Store, Accounts>
  /// The number of calls so far.
  private(set) var requests = 0
  let faults: FaultControl
  /// Who may send what.
  private(set) var authentication: Authentication
  /// The file with the tokens, keys and users; nil for none.
  private let credentials: CredentialFile?
  /// The containers whose data are reached by another protocol only, which knows who sends a request.
  private let closedContainers: Set<Name>
  let now: () -> Moment
  private let journal: ServerJournal
  /// The source of random numbers.
  var generator: ServiceGenerator
  /// Called with the replies to messages. A cancellation ends a reading for which a turn has no time.
  private var replies: [Ticket: (complete: (CloudReply) -> Void, cancellation: Cancellation)] = [:]
  /// Answers readings for which a turn has no time; nil if every turn has time. Set before the first request.
  var longReader: LongReader? { didSet { process.zones.readingTime = longReader.map { _ in LongReading.turnTime } } }
  private var delayed = DelayedReplies()
  /// The sentences of faults in the plan, by their IDs.
  private var sentences: [Int: String] = [:]
  /// Called with the instructions of the push service, in order.
  var onPushes: ([PushGateway.Effect]) -> Void = { _ in }
  /// Called with the instructions of the channels, in order.
  var onChannel: (ChannelEffect) -> Void = { _ in }
  /// Called with each event that a fault lost on its way to a channel.
  var onDropped: (ChannelDelivery) -> Void = { _ in }
  /// Called with the faults that met a message, before it is answered.
  var onFaults: ([Int]) -> Void = { _ in }
  /// The files with the bytes of objects; nil if there are none.
  var bytes: ObjectBytes?

  /// The process over that store.
  init(
    store: Store, authentication: Authentication, credentials: CredentialFile? = nil, faults: FaultControl,
    policy: PushGateway.Policy, rules: CloudPolicy = CloudPolicy(),
    journal: ServerJournal, tables: CloudTables<Accounts>? = nil, closedContainers: Set<Name> = [],
    generator: ServiceGenerator = .system(SystemGenerator()), now: @escaping () -> Moment
  ) {
    self.generator = generator
    process = CloudProcess(store: store, limits: faults.usualLimits, policy: policy, tables: tables)
    process.zones.policy = rules
    self.authentication = authentication
    self.credentials = credentials
    self.closedContainers = closedContainers
    self.faults = faults
    self.journal = journal
    self.now = now
  }

  // MARK: Calls

  /// A call arrived. `answer` is called once with the reply, in this turn or later; with nil if a fault suppresses the
  /// reply, and then the connection is closed. `room` is the number of bytes that the answer may have. Returns how
  /// much of the turn the call takes.
  @discardableResult
  func receive(_ call: Call, room: Int = AnswerSize.limit, answer: @escaping (HTTPReply?) -> Void) -> TurnCost {
    let identity: Identity
    switch self.identity(of: call) {
    case .success(let known): identity = known
    case .failure(let error):
      answer(call.reply(.refused(error)))
      return TurnCost()
    }
    requests += 1
    let caller = identity.caller
    return receive(.call(call.request, in: call.database(of: caller)), from: sender(caller), room: room) {
      [self] reply in
      let response: CloudResponse? = if case .call(let response)? = reply.answer { response } else { nil }
      delay(milliseconds: reply.delayMilliseconds) {
        answer(response.map { call.reply(.answered($0, caller), webAuthToken: identity.webAuthToken) })
      }
    }
  }

  /// A message arrived. `complete` is called once with the reply, in this turn; for a reading that takes long, in a later
  /// turn, unless `cancellation` ends it. `room` is the number of bytes that the answer may have. Returns how much of the
  /// turn the message takes.
  @discardableResult
  func receive(
    _ message: CloudMessage, from sender: CloudSender, room: Int = AnswerSize.limit,
    until cancellation: Cancellation = Cancellation(), prepare: ((CloudPreparation) -> Void)? = nil,
    complete: @escaping (CloudReply) -> Void
  ) -> TurnCost {
    let reception = process.receive(
      message, from: sender, at: now(), room: room, naming: naming, using: &generator)
    if !reception.faults.isEmpty { onFaults(reception.faults) }
    if let reply = reception.reply {
      complete(reply)
    } else {
      replies[reception.ticket] = (complete, cancellation)
    }
    for preparation in reception.preparations { prepare?(preparation) }
    return reception.cost
  }

  /// A message of a sender of tables arrived. `answer` is called once, when the answer is to be sent; with nil if a fault
  /// suppresses it, and then the connection is closed. `prepare` does what the process needs before it goes on.
  @discardableResult
  func ask(
    _ message: CloudMessage, from sender: TableSender, room: Int = AnswerSize.limit,
    until cancellation: Cancellation = Cancellation(), prepare: ((CloudPreparation) -> Void)? = nil,
    answer: @escaping (CloudAnswer?) -> Void
  ) -> TurnCost {
    receive(message, from: CloudSender(sender), room: room, until: cancellation, prepare: prepare) { [self] reply in
      delay(milliseconds: reply.delayMilliseconds) { answer(reply.answer) }
    }
  }

  /// Why a sender of tables is not admitted now; nil if it is.
  func problem(of sender: TableSender) -> SenderProblem? {
    switch process.caller(sender, at: now().wall) {
    case .success: nil
    case .failure(let problem): problem
    }
  }

  /// The bytes of the upload with that ticket were written, or could not be because of that error.
  func stored(_ ticket: Ticket, _ error: ObjectError? = nil) {
    for done in process.stored(ticket, error, at: now(), using: &generator) { carryOut(done) }
  }

  /// The request to the accounts with that ticket was verified.
  func verified(_ ticket: Ticket, _ event: AccountEvent) {
    for done in process.verified(ticket, event, at: now(), using: &generator) { carryOut(done) }
  }

  /// A sender with the names by which faults know its device.
  func sender(_ caller: Caller) -> CloudSender {
    CloudSender(caller, called: hasFaults ? faults.names(ofDevice: caller.deviceID) : [])
  }

  /// Counts a try to sign in or up. Returns the error if there were too many.
  func admit(email: String, from host: String) -> AccountError? {
    process.tables?.accounts.admit(email: email, from: host, at: now().monotonic)
  }

  private func identity(of call: Call) -> Result<Identity, CloudError> {
    switch call.credentials {
    case .caller(let caller): return .success(Identity(caller))
    case .web where closedContainers.contains(call.container):
      return .failure(
        CloudError(
          .permissionFailure,
          "\(call.container) is closed to CloudKit Web Services with --auth strict; its app has a protocol of its own"))
    case .web(let shown):
      readCredentials()
      return authentication.identity(
        shown, for: call.purpose, in: call.container, call.environment, call.scope, at: now().wall)
    }
  }

  /// Why the signature of a request that cannot be read is not accepted; nil if it is.
  func problem(of signature: RequestSignature) -> CloudError? {
    readCredentials()
    return authentication.problem(of: signature, at: now().wall)
  }

  /// Reads the tokens, keys and users again if their file has changed. One that cannot be read leaves them as they are.
  func readCredentials() {
    guard let registry = try? credentials?.changed() else { return }
    authentication.registry = registry
    process.register(registry.users.map(\.directoryUser))
  }

  // MARK: Administration

  /// Performs an administrator's operation. `answer` is called once with the cloud's answer.
  func administer(_ request: AdministrationRequest, answer: @escaping (CloudResponse) -> Void) {
    receive(.administration(request.operation, in: request.database), from: CloudSender(request.caller)) { reply in
      if case .call(let response)? = reply.answer { answer(response) }
    }
  }

  /// Whether everyone who reaches the server may use faults and administration.
  var isOpen: Bool { faults.isOpen }

  /// Whether the fault plan has faults.
  var hasFaults: Bool { !process.faults.isEmpty }

  /// The number of rows of each verdict since the start; nil if there are no tables.
  var rowVerdicts: [RowVerdict: Int]? { process.tables?.verdicts }

  /// Calls `deliver` after that time; at once if it is zero.
  func delay(milliseconds: Int64, _ deliver: @escaping () -> Void) {
    guard milliseconds > 0 else { return deliver() }
    delayed.add(due: now().monotonic.milliseconds + milliseconds, deliver)
  }

  /// The fault plan and the limits as JSON. `note` says why a fault cannot hit anything now; nil if it can.
  func faultPlan(note: (Fault) -> String? = { _ in nil }) -> JSON {
    FaultDocument.json(
      of: process.faults.entries, limits: process.zones.limits, sentence: { sentences[$0] }, note: note)
  }

  /// The faults of the plan, each in the words of the list of faults.
  var plannedFaults: [String] { (faultPlan()["faults"]?.array ?? []).map(FaultDocument.text) }

  /// What the faults with those IDs do.
  func words(ofFaults ids: [Int]) -> [String] {
    process.faults.entries.filter { ids.contains($0.id) }.compactMap { entry in
      FaultDocument.json(of: [entry])["faults"]?.array?.first?["do"]?.string
    }
  }

  /// Sets the fault plan and changes limits. Throws if the document is invalid; then nothing has changed.
  func setFaultPlan(_ document: FaultDocument) throws(MemberError) {
    process.zones.limits = try document.limits(changing: process.zones.limits)
    process.faults.set(Array(zip(document.ids, document.faults)))
    sentences = [:]
    for (entry, sentence) in zip(process.faults.entries, document.sentences) { sentences[entry.id] = sentence }
  }

  /// Has the same faults and limits as another service.
  func takeFaults(of other: ZoneService) {
    (process.faults, process.zones.limits) = (other.process.faults, other.process.zones.limits)
    sentences = other.sentences
  }

  /// Removes all faults and resets the limits.
  func clearFaultPlan() {
    process.faults.removeAll()
    process.zones.limits = faults.usualLimits
  }

  // MARK: The end of a turn

  /// Commits the changes of the turn's messages and carries out what follows from that.
  func endTurn() {
    while true {
      // An effect is removed when it is carried out, so that an answer is in memory only once when it is encoded.
      var effects = Array(process.commit(using: &generator).reversed())
      guard !effects.isEmpty else { break }
      while let effect = effects.popLast() {
        for done in process.perform(effect, at: now(), using: &generator) { carryOut(done) }
      }
    }
    for place in process.takeUnusedBytes() { bytes?.removeUnused(place) }
    for reading in process.takeLongReadings() {
      // Nobody waits for the first application of a request that a fault repeats.
      let cancellation = replies[reading.ticket]?.cancellation ?? Cancellation()
      longReader?.read(reading, until: cancellation) { [self] effect in
        for done in process.perform(.zones(effect), at: now(), using: &generator) { carryOut(done) }
      }
    }
  }

  func carryOut(_ effect: CloudProcessEffect) {
    switch effect {
    case .reply(let reply): replies.removeValue(forKey: reply.ticket)?.complete(reply)
    case .resume(let ticket, let milliseconds):
      delay(milliseconds: milliseconds) { [self] in
        for done in process.resume(ticket, at: now(), using: &generator) { carryOut(done) }
      }
    case .changed: break
    case .channel(let effect): onChannel(effect)
    case .dropped(let delivery): onDropped(delivery)
    case .channelFact(let fact): journal.record(fact)
    case .bytesNeeded(let needed, in: let database):
      process.release((bytes?.names(in: database) ?? []).filter { !needed.contains($0) }, in: database)
    case .push(let effect): onPushes([effect])
    case .fact(let fact): journal.record(fact)
    }
  }

  /// When `answerDelayed` has to be called next, in milliseconds of the loop's clock; nil if no answer is delayed.
  var nextDelayedAnswer: Int64? { delayed.nextDue }

  /// The number of messages that wait for their commit or for a long reading.
  var unansweredCount: Int { replies.count }

  /// The number of answers that a fault delays.
  var delayedCount: Int { delayed.count }

  /// Gives the delayed answers that are due.
  func answerDelayed() {
    for deliver in delayed.take(at: now().monotonic.milliseconds) { deliver() }
  }

  // MARK: The store

  /// Passes all registrations in the store to the push service. Throws if the databases cannot be listed.
  func loadRegistrations() throws(StoreError) { onPushes(try process.restoreRegistrations(at: now())) }

  /// Every database of the cloud. Throws if they cannot be listed.
  func databases() throws(StoreError) -> [DatabaseID] { try process.zones.store.databases() }

  /// The status of every database. Throws if they cannot be listed.
  func databaseStatuses() throws(StoreError) -> [DatabaseStatus] {
    try process.zones.store.databases().map { process.zones.status(of: $0) }
  }

  /// Whether a zone has a record, or a tombstone of it. A zone that cannot be read has none.
  func hasRecord(_ name: Name, in zone: ZoneKey) -> Bool { (try? process.zones.store.record(name, in: zone)) != nil }

  /// Ends the long readings.
  func stopReading() { longReader?.close() }

  /// Closes the stores.
  func close() {
    process.zones.store.close()
    process.tables?.store.close()
    process.tables?.relations?.close()
  }
}

extension CredentialRegistry.User {
  /// The user in the directories of containers.
  fileprivate var directoryUser: DirectoryUser {
    DirectoryUser(
      account: account, firstName: firstName, lastName: lastName, emailAddress: emailAddress, phoneNumber: phoneNumber)
  }
}

extension ZoneService: PushHost {
  var gateway: PushGateway { process.gateway }

  func withGateway<Answer>(_ act: (inout PushGateway) -> Answer) -> Answer { act(&process.gateway) }

  func sendPushes(measure: (PushNotification) -> Int) -> [PushGateway.Effect] {
    process.sendPushes(at: now(), measure: measure)
  }

  func pushFault(on subject: FaultSubject) -> PushFault? {
    process.faults.pushFault(on: faults.named(subject), using: &generator)
  }

  var swapsPushes: Bool { process.faults.swapsPushes }
}

extension ZoneService where Store == CloudFiles {
  /// The zones as they are after the last commit, for other threads.
  var snapshots: ZoneSnapshots.Source { process.zones.store.snapshots }

  /// When `writeMarks` has to be called, in milliseconds of the loop's clock; nil for not before the next commit.
  var marksDue: Int64? { process.zones.store.marksDue }

  /// Records how far the zones have come.
  func writeMarks() { process.zones.store.writeMarks() }
}

/// The cloud of a server, in its files.
typealias FileZoneService = ZoneService<CloudFiles, AccountFiles>

/// The accounts of a server, in their file.
typealias FileAccountService = AccountService<CloudFiles, AccountFiles>
