import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// What the process asks a table server beside the coordinator's requests.
extension DeviceProcess {
  // MARK: The comparison

  /// Begins to compare the device with the server. A comparison that is under way serves both who want it.
  mutating func beginComparison(isForUser: Bool) {
    guard let plan = app.migration, case .tables(let app) = app.cloud else { return }
    var comparison = comparison ?? Comparison(tables: plan.tables.compactMap { app.schema.table($0) }[...])
    if isForUser { comparison.isForUser = true } else { comparison.isForMigration = true }
    let isNew = self.comparison == nil
    self.comparison = comparison
    if isNew { add([.inquire(.comparison)]) }
  }

  private mutating func compareNext(at moment: Moment) -> DeviceEffect? {
    guard let plan = app.migration, let comparison else { return nil }
    if let question = comparison.next { return ask(question, for: .comparison, at: moment.monotonic) }
    do throws(StoreError) {
      let view = view(at: moment.wall)
      guard comparison.questions == nil else {
        return endComparison(.success(try plan.compare(view, comparison.counts, comparison.answers)))
      }
      self.comparison?.questions = try plan.questions(view)[...]
      add([.inquire(.comparison)])
      return nil
    } catch {
      return endComparison(.failure(Inquiry.Failure(description: "\(error)")))
    }
  }

  private mutating func endComparison(_ result: Result<MigrationCheck, Inquiry.Failure>) -> DeviceEffect? {
    guard let comparison = comparison.take() else { return nil }
    if comparison.isForMigration {
      passToMigration { migration in
        switch result {
        case .success(let check): migration.checked(check)
        case .failure(let failure): migration.failed(failure.description)
        }
      }
    }
    return comparison.isForUser ? .compared(result.mapError { AppRefusal($0.description, isUnanswered: true) }) : nil
  }

  // MARK: The rollback

  /// The user takes the migration back, with that store as the backup at that path. With `isCloudMeant` the rows on the
  /// server that only this device has written are removed first. Until the last step the device is as it was; after an
  /// interruption the same command goes on.
  package mutating func rollBack(isCloudMeant: Bool, backup: any DeviceStore, at path: String) {
    guard case .tables(let app) = app.cloud, rollback == nil else { return }
    rollback = Rollback(
      backup: backup, path: path, tables: isCloudMeant ? app.schema.tables[...] : [], rows: isCloudMeant ? [:] : nil)
    add([.inquire(.rollback)])
  }

  /// The path of the backup for a rollback. Throws if there is none.
  package func rollbackPath() throws(AppRefusal) -> String {
    let record: MigrationRecord?
    do throws(StoreError) {
      record = MigrationRecord(try coordinator.store.appValues()[MigrationRecord.key])
    } catch {
      throw AppRefusal("\(error)")
    }
    guard coordinator.account != nil, let path = record?.backup else { throw AppRefusal(MigrationProblem.nothing.text) }
    return path
  }

  /// The photos of the backup are on the device, and what was written since is in a file. The device remembers the file
  /// before rows are removed, after which it may hold them no more.
  package mutating func rollbackPrepared(photos: Set<PhotoName>, at moment: Moment) {
    photosKept(photos)
    do throws(StoreError) {
      if let path = rollback?.editsPath, let record = migration?.editsWritten(to: path) {
        try edit([], setting: Self.storing(record).values, at: moment)
      }
      rollback?.isPrepared = true
      add([.inquire(.rollback)])
    } catch {
      rollbackFailed(error)
    }
  }

  /// The photos of the backup or what was written since could not be kept. The device stays as it is.
  package mutating func rollbackFailed(_ error: StoreError) { add([.tell(endRollback(AppRefusal("\(error)")))]) }

  private mutating func rollBackNext(at moment: Moment) -> DeviceEffect? {
    guard let rollback, let plan = app.migration, case .tables(let app) = app.cloud else { return nil }
    if let question = rollback.next(in: app.schema) { return ask(question, for: .rollback, at: moment.monotonic) }
    guard let decided = rollback.plan else { return decideRollback(rollback, plan, at: moment) }
    guard rollback.isPrepared else { return nil }
    do throws(StoreError) {
      try restore(rollback.backup, zone: app.zone, at: moment)
    } catch {
      return endRollback(AppRefusal("\(error)"))
    }
    self.rollback = nil
    let files = migration?.record?.edits ?? []
    passToMigration { $0.takenBack() }
    let kept = files.isEmpty ? [] : ["what was written since is in \(files.joined(separator: " and "))"]
    return .rolledBack(.success(decided.lines + kept))
  }

  private mutating func decideRollback(
    _ rollback: Rollback, _ plan: MigrationPlan, at moment: Moment
  ) -> DeviceEffect? {
    let sight = RollbackPlan.Sight(
      view: view(at: moment.wall), backup: rollback.backup, deviceID: coordinator.deviceID, server: rollback.rows)
    do throws(AppRefusal) {
      let decided = try plan.rollback(sight)
      var files: [String: [UInt8]] = [:]
      if let edits = decided.edits {
        // The file of a rollback that was interrupted may hold rows that the device has no more.
        let path = "\(rollback.path)-edits-\(1 + (migration?.record?.edits.count ?? 0)).json"
        self.rollback?.editsPath = path
        files[path] = edits
      }
      self.rollback?.plan = decided
      self.rollback?.removals = decided.removals[...]
      return .prepareRollback(backup: rollback.path, files: files)
    } catch {
      return endRollback(error)
    }
  }

  /// Gives the device the rows and values of the backup, in one transaction, and ends the session.
  private mutating func restore(_ backup: any DeviceStore, zone: Name, at moment: Moment) throws(StoreError) {
    let records = try backup.pending(in: nil, after: 0, limit: .max).filter { $0.recordID.zoneID.zoneName == zone }
    try signOut(restoring: records, try backup.appValues(), at: moment)
  }

  private mutating func endRollback(_ refusal: AppRefusal) -> DeviceEffect {
    rollback = nil
    return .rolledBack(.failure(refusal))
  }

  // MARK: Questions and answers

  /// Asks the next question, or ends.
  mutating func inquire(_ purpose: Inquiry.Purpose, at moment: Moment) -> DeviceEffect? {
    switch purpose {
    case .comparison: compareNext(at: moment)
    case .rollback: rollBackNext(at: moment)
    }
  }

  private mutating func ask(
    _ question: Inquiry.Question, for purpose: Inquiry.Purpose, at now: MonotonicTime
  ) -> DeviceEffect? {
    guard hasLink else { return failed(purpose, Inquiry.Failure(description: "the device is offline")) }
    guard let id = link?.nextAsk(), let token = link?.accessToken(at: now) else {
      let isRenewing = link?.isSignedIn ?? false
      let reason = isRenewing ? "the session is being renewed, try again in a moment" : "there is no session"
      return failed(purpose, Inquiry.Failure(description: reason))
    }
    inquiries[id] = Inquiry(purpose: purpose, question: question, due: now.advanced(byMilliseconds: inquiryTime))
    if case .call(let call) = question { return .askFunction(id, call.function, call.argument, token: token) }
    return Inquiry.request(question).map { .askRows(id, $0, $1, token: token) }
  }

  /// The outcome of a request for rows arrived. Returns false if the process did not ask for it.
  mutating func inquired(_ id: TableLink.AskID, _ outcome: RowOutcome) -> Bool {
    guard let inquiry = inquiries.removeValue(forKey: id) else { return false }
    do throws(Inquiry.Failure) {
      received(try inquiry.answer(outcome), for: inquiry.purpose)
    } catch {
      add([.failInquiry(inquiry.purpose, error)])
    }
    return true
  }

  /// The outcome of the call of a function arrived. A function that cannot answer the question says so; a service that
  /// cannot answer now leaves it open.
  mutating func inquired(_ id: TableLink.AskID, _ outcome: FunctionOutcome) {
    guard let inquiry = inquiries.removeValue(forKey: id) else { return }
    switch outcome {
    case .value(let value): received(.value(value), for: inquiry.purpose)
    case .refused(let refusal) where refusal.status < 500 && ![401, 408, 429].contains(refusal.status):
      received(.value(nil), for: inquiry.purpose)
    case .refused(let refusal):
      add([.failInquiry(inquiry.purpose, Inquiry.Failure(description: "\(inquiry.name): \(refusal.message)"))])
    case .failed(let reason): add([.failInquiry(inquiry.purpose, Inquiry.Failure(description: reason))])
    }
  }

  /// Questions whose time is over get no answer; all of them if the link is lost.
  mutating func giveUpInquiries(at now: MonotonicTime?, because reason: String) {
    for (id, inquiry) in inquiries where now.map({ inquiry.due <= $0 }) ?? true {
      inquiries[id] = nil
      add([.failInquiry(inquiry.purpose, Inquiry.Failure(description: reason))])
    }
  }

  /// The time limit of a question, in milliseconds.
  private var inquiryTime: Int64 { app.configuration.limits.requestTimeout }

  private mutating func received(_ answer: Inquiry.Answer, for purpose: Inquiry.Purpose) {
    switch purpose {
    case .comparison: comparison?.received(answer)
    case .rollback: rollback?.received(answer)
    }
    add([.inquire(purpose)])
  }

  mutating func failed(_ purpose: Inquiry.Purpose, _ failure: Inquiry.Failure) -> DeviceEffect? {
    switch purpose {
    case .comparison: endComparison(.failure(failure))
    case .rollback:
      endRollback(AppRefusal("the device stays as it is: \(failure)", isUnanswered: true))
    }
  }
}
