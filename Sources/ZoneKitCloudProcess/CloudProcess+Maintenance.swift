import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// What an administrator does with rows and objects.
extension CloudProcess {
  /// The maintenance of accounts begins.
  mutating func begin(
    _ operation: RowMaintenance, of meant: MaintainedAccounts, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    guard let tables else {
      return .answered(.maintained(.failure(RowError(.notServed, "the cloud serves no tables"))))
    }
    do throws(RowError) {
      let accounts = try tables.accounts(meant) { () throws(StoreError) in try zones.store.databases() }
      guard !accounts.isEmpty else { return .answered(.maintained(.success([]))) }
      for account in accounts {
        maintain(operation, of: account, for: arrival.ticket, at: arrival.at, using: &generator)
      }
      return .submitted(.maintenance(Maintenance(of: accounts.count)), cost: TurnCost())
    } catch {
      return .answered(.maintained(.failure(error)))
    }
  }

  /// Maintains an account, under a ticket of its own. `maintenance` is the ticket of the maintenance that waits for the
  /// report; nil if nobody does.
  mutating func maintain(
    _ operation: RowMaintenance, of account: MaintainedAccount, for maintenance: Ticket?, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) {
    let arrival = Arrival(ticket: nextTicket(), sender: CloudSender(RowCaller(.service)), at: now)
    maintain(operation, of: account, arrival, using: &generator)
    waiting[arrival.ticket] = Waiting(step: .maintained(account, of: maintenance), isLast: false)
  }

  /// Submits the maintenance of an account under the ticket of a message.
  mutating func maintain(
    _ operation: RowMaintenance, of account: MaintainedAccount, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) {
    guard let rows = tables?.rows else { return }
    let (transaction, database, caller) = rows.maintenance(operation, of: account.id, at: arrival.at.wall)
    _ = submit(transaction, in: database, from: caller, arrival, using: &generator)
    forget(
      rows.forgettings(after: operation, at: arrival.at.wall), in: database, from: caller, at: arrival.at,
      using: &generator)
  }

  /// The account whose rows an operation on a zone erases; nil if it erases none.
  func account(whoseRowsEndWith operation: Administration, in database: DatabaseID) -> UUID? {
    guard let app = tables?.app, let account = UUID(database.user.text), database == app.database(of: account) else {
      return nil
    }
    switch operation {
    case .eraseRecords(let zone), .purgeZone(let zone), .resetEncryptedData(let zone):
      return zone.zoneName == app.zone ? account : nil
    case .loseZone, .expireZoneTokens, .expireDatabaseTokens, .purgeTombstones, .dropSubscription, .muteSubscription,
      .endPushToken:
      return nil
    }
  }

  // MARK: Results

  /// The maintenance of an account is done, as one of those of `maintenance`.
  mutating func finish(
    _ maintenance: Ticket?, on account: MaintainedAccount, _ ticket: Ticket, _ result: TransactionResult, at now: Moment
  ) -> [CloudProcessEffect] {
    waiting[ticket] = nil
    guard let (report, effects) = report(on: account, result) else { return [] }
    guard let maintenance, case .maintenance(var reports)? = waiting[maintenance]?.step else { return effects }
    let answer = reports.add(report, on: account)
    waiting[maintenance]?.step = .maintenance(reports)
    return (answer.map { replies(to: maintenance, $0, at: now) } ?? []) + effects
  }

  /// The rows of an account are erased, as an operation on their zone asked for.
  mutating func finishErasure(
    of account: MaintainedAccount, _ ticket: Ticket, _ result: TransactionResult, at now: Moment
  ) -> [CloudProcessEffect] {
    guard let (report, effects) = report(on: account, result) else { return [] }
    let answer: CloudResponse =
      switch report {
      case .success: .zones([])
      case .failure(let error): .failure(CloudError(.serviceUnavailable, error.message))
      }
    return replies(to: ticket, .call(answer), at: now) + effects
  }

  /// The report on an account, and what is left to the driver.
  private mutating func report(
    on account: MaintainedAccount, _ result: TransactionResult
  ) -> (Result<MaintenanceReport, RowError>, [CloudProcessEffect])? {
    guard let rows = tables?.rows else { return nil }
    let (report, changes) = rows.maintenanceAnswer(to: result, of: account.id)
    var effects: [CloudProcessEffect] = []
    if case .success(let found) = report, let needed = found.neededBytes {
      effects.append(.bytesNeeded(needed, in: rows.app.database(of: account.id)))
    }
    return (report, effects + told(changes))
  }
}
