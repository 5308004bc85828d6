import ZoneKitScenarios
import ZoneKitTimeline
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync
import ZoneKitWire
import ZoneKitCloud
import ZoneKitCloudProcess

/// Requests to the cloud, its turns, and its answers.
extension World {
  /// The database of an account that its devices sync.
  package func database(of account: Name) -> DatabaseID {
    if let tables = cloud.tables, let id = UUID(account.text) { return tables.app.database(of: id) }
    guard let number = appOfAccount[account] else {
      return DatabaseID(container: options.container, environment: .development, user: account, scope: options.scope)
    }
    let app = apps[number]
    return DatabaseID(
      container: app.container, environment: .development, user: account, scope: app.configuration.traits.scope)
  }

  /// Records the tokens of a request, if that is asked for.
  mutating func noteTokens(of request: CloudRequest, from device: Int) {
    tokenHistory?.asked(request, by: device, as: devices[device].coordinator.account ?? "nobody")
  }

  /// Sends a device's request to the cloud.
  mutating func send(_ exchange: ReadAhead.Exchange, from device: Int) {
    let request = exchange.request
    let account = devices[device].coordinator.account ?? "nobody"
    let caller = Caller(user: account, deviceID: devices[device].coordinator.deviceID)
    let life = devices[device].life
    log(.sent(request), of: device)
    noteTokens(of: request, from: device)
    let (text, detail) = (request.words, traced(TraceDetail(request)))
    let visit = CloudVisit(device: device, life: life, exchange: exchange, request: request, caller: caller)
    let isTold = send(.request(visit), over: LinkWay(device: device, direction: .up)) { fate in
      Arrow(.request, from: .device(device), to: .cloud, text, fate, detail)
    }
    if isTold == true { fail(visit, CloudError(.networkFailure, "the connection was cut")) }
  }

  /// Answers a device's request with an error.
  private mutating func fail(_ visit: CloudVisit, _ error: CloudError) {
    let due = now.advanced(byMilliseconds: draw(links[visit.device].down.delay))
    queue.add(.answer(device: visit.device, life: visit.life, visit.exchange, .failure(error)), at: due)
  }

  // MARK: At the cloud

  mutating func arrive(_ visit: CloudVisit) {
    guard cloud.isRunning else {
      return fail(visit, CloudError(.networkUnavailable, "nobody listens there"))
    }
    var visit = visit
    if let carrier = carrier(for: visit) {
      switch carrier.read(visit.request) {
      case .call(let call): visit.request = call.request
      case .refused:
        // The carrier replaces the answer with the adapter's own reply.
        return answer(visit, .failure(CloudError(.invalidArguments, "the request asks for nothing")))
      }
    }
    if visit.isRepeat || visit.life != devices[visit.device].life { noteMadeAnew(by: visit) }
    noteBegun(by: visit.request, of: visit.caller.user)
    let database = database(of: visit.caller.user)
    if !cloud.databases.contains(database) { cloud.databases.append(database) }
    let isFirst = !cloud.process.hasWaiting
    let expired = refuseExpiredTokens(of: visit)
    defer { for fault in expired { cloud.process.faults.remove(fault) } }
    if let passage = documentPassage(of: visit) {
      switch passage.step(for: visit.request) {
      case .ask(let asked): take(.documents(asked, of: passage.app), of: visit)
      case .answer(let response): answer(visit, response)
      case .other: take(.call(visit.request, in: database), of: visit)
      }
    } else {
      take(.call(visit.request, in: database), of: visit)
    }
    if isFirst, cloud.process.hasWaiting { queue.add(.cloudTurn(life: cloud.life), at: now) }
  }

  /// Passes a message to the process, and answers it if that needs no commit. Faults know a device by its name in the
  /// simulation, because its device ID may change.
  private mutating func take(_ message: CloudMessage, of visit: CloudVisit) {
    let sender = CloudSender(visit.caller, called: [devices[visit.device].name])
    let reception = cloud.process.receive(message, from: sender, at: cloudMoment, using: &cloud.generator)
    if !reception.faults.isEmpty {
      note(.cloud, .fault, cloud.names(of: reception.faults) + ": " + message.words)
    }
    if let reply = reception.reply { answer(visit, reply) } else { cloud.turn[reception.ticket] = visit }
  }

  /// The carrier of a device's messages; nil if requests travel as values.
  private func carrier(for visit: CloudVisit) -> MessageCarrier? {
    guard options.carriesMessages else { return nil }
    var adapter = devices[visit.device].app.adapter
    // Requests for documents are carried by their own protocol, all others by CloudKit's.
    if let documents = documentPassage(of: visit), documents.step(for: visit.request) == .other {
      adapter = CloudKitAdapter()
    }
    guard let adapter else { return nil }
    return MessageCarrier(
      adapter: adapter, database: database(of: visit.caller.user), caller: visit.caller)
  }

  /// The answer as the device reads it.
  private mutating func carried(_ response: CloudResponse, to visit: CloudVisit) -> CloudResponse {
    guard var carrier = carrier(for: visit) else { return response }
    carrier.damage = answerDamage
    defer { answerDamage = carrier.damage }
    return carrier.read(response, to: visit.request)
  }

  /// A request created records again that had been deleted, because it arrived twice or after its process
  /// ended. That cannot be prevented.
  private mutating func noteMadeAnew(by visit: CloudVisit) {
    guard let batch = visit.request.batch else { return }
    for operation in batch.operations where operation.kind == .create {
      guard let name = operation.recordName else { continue }
      let id = RecordID(recordName: name, zoneID: batch.zoneID)
      guard cloudRecord(id, of: visit.caller.user) == nil else { continue }
      check(visit.device) { $0.isMadeAnew(id, isRepeat: visit.isRepeat) }
    }
  }

  mutating func endCloudTurn(life: Int) {
    guard cloud.isRunning, cloud.life == life, cloud.process.hasWaiting || cloud.process.hasUntoldChanges
    else { return }
    let writes = cloud.process.hasWrites
    if cloud.crash.reached("turn") || writes && cloud.crash.diesBeforeCommit() { return killCloud() }
    let effects = commit() ?? []
    if writes, cloud.crash.hasCommitted() { return killCloud() }
    guard survives(effects) else { return killCloud() }
    while let further = commit() {
      guard survives(further) else { return killCloud() }
    }
    finishTurn()
  }

  /// Commits what messages and effects of this turn have changed. Returns the effects; nil if there was nothing to do.
  private mutating func commit() -> [TurnEffect]? {
    let effects = cloud.process.commit(using: &cloud.generator)
    logTurn(effects)
    return effects.isEmpty ? nil : effects
  }

  /// Carries out the effects of a turn. Returns false if the process dies at one of them.
  private mutating func survives(_ effects: [TurnEffect]) -> Bool {
    for effect in effects {
      if cloud.crash.reached(effect.name) { return false }
      carryOut(effect)
      if cloud.crash.passed(effect.name) { return false }
    }
    return true
  }

  /// Does what follows the last commit of a turn: removes bytes, and sends pushes and events.
  private mutating func finishTurn() {
    cloud.tables?.remove(cloud.process.takeUnusedBytes())
    carryOut(cloud.process.sendPushes(at: cloudMoment) { PushLine.notification($0).line.count - 1 })
    tellChanges()
  }

  /// Carries out an effect of a turn. Returns the replies to messages that came from none of the devices.
  @discardableResult
  private mutating func carryOut(_ effect: TurnEffect) -> [CloudReply] {
    if case .zones(.notify(let notice)) = effect {
      let arrow = Arrow(.notice, from: .cloud, to: .gateway, notice.zoneID.zoneName.text, .arrives(now))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
    }
    let effects = cloud.process.perform(effect, at: cloudMoment, using: &cloud.generator)
    return effects.compactMap { carryOut($0) }
  }

  /// Carries out an instruction of the process. Returns the reply to a message that came from none of the devices.
  @discardableResult
  mutating func carryOut(_ effect: CloudProcessEffect) -> CloudReply? {
    switch effect {
    case .reply(let reply):
      if let visit = cloud.turn.removeValue(forKey: reply.ticket) {
        answer(visit, reply)
      } else if let waiting = cloud.tables?.turn.removeValue(forKey: reply.ticket) {
        answer(waiting, reply)
      } else {
        return reply
      }
    case .changed(let changes): noteChanged(changes)
    case .bytesNeeded(let needed, in: let database):
      let kept = cloud.tables?.hashes(in: database) ?? []
      cloud.process.release(kept.filter { !needed.contains($0) }, in: database)
    case .push(let effect): carryOut([effect])
    case .channel(let effect): carryOut(effect)
    case .dropped(let delivery):
      guard let socket = cloud.tables?.sockets[delivery.socket] else { return nil }
      devices[socket.device].counters.lostPushes += 1
      note(.cloud, .fault, "an event for \(devices[socket.device].name) is lost")
    case .fact(.committed(let commit)):
      note(.cloud, .commit, "\(commit.zone.zoneName) \(commit.records) records, sequence \(commit.sequence)")
    case .resume(let ticket, let delay):
      queue.add(.tables(.cloudResumes(ticket, life: cloud.life)), at: now.advanced(byMilliseconds: delay))
    case .fact(.commitFailed), .channelFact: break
    }
    return nil
  }

  private mutating func answer(_ visit: CloudVisit, _ reply: CloudReply) {
    let response: CloudResponse? =
      switch reply.answer {
      case .call(let response): response
      case .documents(let response): read(response, by: visit)
      case .purged, .rows, .relation, .function, .object, .account, .maintained, nil: nil
      }
    answer(visit, response, delay: reply.delayMilliseconds)
  }

  /// Sends the answer to a request, unless there is none.
  private mutating func answer(_ visit: CloudVisit, _ response: CloudResponse?, delay: Int64 = 0) {
    guard let response else {
      let arrow = Arrow(.answer, from: .cloud, to: .device(visit.device), "no answer", .dies(now, "lost"))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
      if happens(links[visit.device].toldLosses) {
        fail(visit, CloudError(.serverResponseLost, "the answer was cut off"))
      }
      return
    }
    tokenHistory?.handed(response, to: visit)
    let (text, detail) = (response.words, traced(TraceDetail(response)))
    let read = carried(response, to: visit)
    let work = Work.answer(device: visit.device, life: visit.life, visit.exchange, .success(read))
    if delay > 0 {
      let due = now.advanced(byMilliseconds: delay)
      let arrow = Arrow(.answer, from: .cloud, to: .device(visit.device), text, .arrives(due), detail)
      trace.add(TraceEvent(at: now, .arrow(arrow)))
      return queue.add(work, at: due)
    }
    let way = LinkWay(device: visit.device, direction: .down)
    let isTold = send(work, over: way) { fate in
      Arrow(.answer, from: .cloud, to: .device(visit.device), text, fate, detail)
    }
    if isTold == true { fail(visit, CloudError(.serverResponseLost, "the answer was cut off")) }
  }

  // MARK: Process

  /// Kills the cloud's process. What was not committed and all connections are lost.
  package mutating func killCloud() {
    guard cloud.isRunning else { return }
    note(.cloud, .crash, "dies")
    let comesBack = cloud.crash.comesBack
    if cloud.crash.endSweep() || comesBack { startCloud(after: Self.crashPause) }
    log(.processEnded)
    let lost = cloud.die()
    for visit in lost { fail(visit, CloudError(.networkFailure, "the connection was reset")) }
    for visit in cloud.tables?.die() ?? [] { fail(visit, .answerLost("the connection was reset")) }
    closeSockets()
    for device in devices.indices {
      if let connection = devices[device].pushConnection {
        queue.add(.closed(device: device, connection, nil), at: now)
      }
    }
  }

  /// Starts the cloud's process. The push service gets the registrations from the store.
  package mutating func startCloud() {
    guard !cloud.isRunning else { return }
    note(.cloud, .start, "starts")
    carryOut(cloud.open(at: cloudMoment))
  }

  /// Starts the cloud's process after that many milliseconds.
  package mutating func startCloud(after milliseconds: Int64) {
    queue.add(.cloudStart, at: now.advanced(byMilliseconds: milliseconds))
  }

  /// Makes the cloud's process die at that point, counted from now on.
  package mutating func crashCloud(at point: KillPoint?, comesBack: Bool = false) {
    cloud.crash.set(point, comesBack: comesBack)
  }

  /// Makes the cloud's process die before that step of all its processes, from 1, and restart some time later.
  package mutating func sweepCloud(at step: Int) { cloud.crash.sweptStep = step }

  /// The number of steps of all processes of the cloud.
  package var totalCloudSteps: Int { cloud.crash.total }

  /// Makes those files of the cloud refuse every commit, or accept commits again.
  package mutating func setCloudDisk(_ disk: CloudDisk, isFull: Bool) {
    let error = isFull ? StoreError(.full, "no space is left", place: disk.rawValue) : nil
    if disk == .all { cloud.process.zones.store.commitError = error }
    cloud.process.tables?.store.commitError = error
    note(.cloud, .fault, "\(disk.rawValue) \(isFull ? "is full" : "has room")")
  }

  /// Makes every reading of the cloud's disk fail, or succeed again.
  package mutating func setCloudDisk(isBroken: Bool) {
    let error = isBroken ? StoreError(.failed, "the disk cannot be read", place: "the cloud's disk") : nil
    cloud.process.zones.store.readError = error
    cloud.process.tables?.store.readError = error
    note(.cloud, .fault, isBroken ? "disk cannot be read" : "disk can be read")
  }

  /// Sends a request to the cloud from none of the devices, without a link. Pushes are sent as usual.
  @discardableResult
  package mutating func ask(
    _ request: CloudRequest, as account: Name, deviceID: String = "somebody"
  ) -> CloudResponse {
    precondition(cloud.isRunning, "a cloud that does not run cannot be asked")
    endCloudTurn(life: cloud.life)
    let database = database(of: account)
    if !cloud.databases.contains(database) { cloud.databases.append(database) }
    return carryOut(.call(request, in: database), from: CloudSender(Caller(user: account, deviceID: deviceID)))
  }

  /// Performs an administrator's operation on the cloud. Pushes are sent as usual.
  @discardableResult
  package mutating func administer(_ action: Administration, as account: Name) -> CloudResponse {
    precondition(cloud.isRunning, "a cloud that does not run cannot be administered")
    endCloudTurn(life: cloud.life)
    return carryOut(.administration(action, in: database(of: account)), from: CloudSender(Caller(user: account)))
  }

  private mutating func carryOut(_ message: CloudMessage, from sender: CloudSender) -> CloudResponse {
    if case .call(let response)? = serve(message, from: sender) { return response }
    return .failure(CloudError(.internalError, "the cloud did not answer"))
  }

  /// Lets a turn of the cloud serve a message from none of the devices, which no fault hits. Pushes are sent as usual.
  /// Returns the answer.
  mutating func serve(_ message: CloudMessage, from sender: CloudSender) -> CloudAnswer? {
    let reception = cloud.process.submit(message, from: sender, at: cloudMoment, using: &cloud.generator)
    var replies: [CloudReply] = []
    while let effects = commit() { replies += effects.flatMap { carryOut($0) } }
    finishTurn()
    return reception.reply?.answer ?? replies.first { $0.ticket == reception.ticket }?.answer
  }

  /// The IDs of the records that the cloud's feeds of those zones show.
  mutating func heldIDs(in zones: [ZoneID], of account: Name) -> Set<RecordID> {
    var ids: Set<RecordID> = []
    for zone in zones {
      ids.formUnion(held(zone, of: account).map { RecordID(recordName: $0.recordName, zoneID: zone) })
    }
    return ids
  }

  /// The records of a zone in the cloud, in ascending order of names; empty if there is no such zone.
  package mutating func held(_ zoneID: ZoneID, of account: Name) -> [Record] {
    if ownTable(of: zoneID) != nil {
      endCloudTurn(life: cloud.life)
      return cloudRecords(in: zoneID, of: account).values.sorted { $0.recordName < $1.recordName }
    }
    var held: [Record] = []
    var token: ChangeToken?
    while true {
      let response = ask(.fetchZoneChanges([ZoneChangesQuery(zoneID: zoneID, token: token)]), as: account)
      guard case .zoneChanges(let results) = response, case .changes(let page)? = results.first else { return [] }
      for case .saved(let record) in page.page.changes { held.append(record) }
      token = page.token
      guard page.moreComing else { return held.sorted { $0.recordName < $1.recordName } }
    }
  }
}
