import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitTables

/// What each kind of message begins.
extension CloudProcess {
  /// A message arrived.
  mutating func begin(
    _ message: CloudMessage, _ arrival: Arrival, using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    switch message {
    case .call(let request, let database):
      meet(arrival.sender.caller, in: database, at: arrival.at, using: &generator)
      let cost = zones.receive(
        request, ticket: arrival.ticket, in: database, from: arrival.sender.caller, at: arrival.at.wall,
        visibleDelay: arrival.faulted?.visibleDelay, room: arrival.room, using: &generator)
      return .submitted(.call(isWrite: request.kind == .modifyRecords), cost: cost)
    case .documents(let request, let app): return begin(request, of: app, arrival, using: &generator)
    case .rows(let request, let demands): return begin(request, demands, arrival, using: &generator)
    case .relations(let request): return begin(request, arrival, using: &generator)
    case .unreadableRows(let error, let table): return refuse(with: error, table: table, arrival, using: &generator)
    case .function(let name, let argument):
      return begin(
        function: name, argument, from: arrival.sender.ofTables, arrival, using: &generator)
    case .object(let request): return begin(request, arrival, using: &generator)
    case .unverified(let request):
      let judged = arrival.at.wall.advanced(byMilliseconds: arrival.faulted?.tokenSkew ?? 0)
      return .prepares(.verification, .verify(arrival.ticket, request, at: judged))
    case .account(let event): return begin(event, arrival, using: &generator)
    case .purge(let purge, let app, let account): return begin(purge, of: app, account, arrival, using: &generator)
    case .administration(let operation, let database):
      return begin(operation, in: database, arrival, using: &generator)
    case .maintenance(let operation, let accounts): return begin(operation, of: accounts, arrival, using: &generator)
    }
  }

  private mutating func begin(
    _ request: DocumentRequest, of app: DocumentApp, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    let delay = arrival.faulted?.visibleDelay ?? 0
    switch server(of: app).receive(request, from: arrival.sender.caller, at: arrival.at.wall, visibleDelay: delay) {
    case .answer(let response): return .answered(.documents(response))
    case .submit(let transaction, let database, let caller):
      let isWrite = if case .push(let push) = request { !push.changes.isEmpty } else { false }
      return .submitted(
        .documents(app: app.name, isWrite: isWrite),
        cost: submit(transaction, in: database, from: caller, arrival, using: &generator))
    }
  }

  private mutating func begin(
    _ purge: DocumentPurge, of app: DocumentApp, _ account: Name, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    let (transaction, database, caller) = server(of: app).purging(purge, of: account, at: arrival.at.wall)
    let cost = submit(transaction, in: database, from: caller, arrival, using: &generator)
    forget(server(of: app).forgettings(after: purge), in: database, from: caller, at: arrival.at, using: &generator)
    return .submitted(.documentPurge(app: app.name), cost: cost)
  }

  private mutating func begin(
    _ operation: Administration, in database: DatabaseID, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    if let account = account(whoseRowsEndWith: operation, in: database) {
      // The events of the rows are made before they end.
      let erased = MaintainedAccount(orphan: account)
      if case .eraseRecords = operation {
        maintain(.erase, of: erased, arrival, using: &generator)
        return .submitted(.erasure(erased), cost: TurnCost())
      }
      maintain(.erase, of: erased, for: nil, at: arrival.at, using: &generator)
    }
    zones.administer(
      operation, ticket: arrival.ticket, in: database, from: arrival.sender.caller, at: arrival.at.wall,
      using: &generator)
    return .submitted(.call(isWrite: false), cost: TurnCost())
  }

  /// Submits a transaction under the ticket of a message. Returns how much of the turn it takes.
  mutating func submit(
    _ transaction: any ZoneTransaction, in database: DatabaseID, from caller: Caller, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> TurnCost {
    zones.transact(
      transaction, ticket: arrival.ticket, in: database, from: caller, at: arrival.at.wall, room: arrival.room,
      using: &generator)
  }

  /// Submits operations that forget old deletions. It does not matter if one fails because there is no such zone.
  mutating func forget(
    _ operations: [Administration], in database: DatabaseID, from caller: Caller, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) {
    for operation in operations {
      zones.administer(
        operation, ticket: nextTicket(), in: database, from: caller, at: now.wall, using: &generator)
    }
  }
}
