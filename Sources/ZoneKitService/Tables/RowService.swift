import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables

/// The rows of an app's accounts as a service. Its transactions are part of the turns of the `ZoneService`, so that one
/// commit keeps the changes of both protocols.
final class RowService {
  private(set) var server: RowServer
  let zones: ZoneService<CloudFiles>
  let accounts: AccountService
  let now: () -> Moment
  private var generator = SystemGenerator()
  /// Called with committed changes of an account's rows, after the answer to their writer.
  var onChanges: ((AccountChanges) -> Void)?
  /// Called after the commit of a maintenance with the hashes of the bytes that the objects of a database need.
  var onBytesNeeded: ((DatabaseID, Set<String>) -> Void)?
  /// The number of rows of each verdict since the start.
  private(set) var verdicts: [RowVerdict: Int] = [:]
  /// The rows that were answered last.
  var kept = KeptRows()
  /// The accounts whose own row is there.
  private var known: Set<UUID> = []

  /// The rows of that app.
  init(of app: TableApp, zones: ZoneService<CloudFiles>, accounts: AccountService, now: @escaping () -> Moment) {
    server = RowServer(app: app)
    self.zones = zones
    self.accounts = accounts
    self.now = now
  }

  /// The tables.
  var schema: TableSchema { server.app.schema }

  /// A request arrived. `answer` is called once, in this turn, after the commits of accounts and zones; for a query that
  /// reads for long, in a later turn, unless `cancellation` ends it. `limits` are those of a fault; nil for the usual ones.
  /// `room` is the number of bytes that the answer may have. Returns how much of the turn the request takes.
  func receive(
    _ request: RowRequest, _ demands: RowDemands, from caller: RowCaller, limits: RowLimits? = nil, room: Int,
    until cancellation: Cancellation, answer: @escaping (RowResponse) -> Void
  ) -> TurnCost {
    if case .account(let account) = caller.role, !known.contains(account) { makeProfile(of: account) }
    return submit(request, demands, from: caller, limits: limits, room: room, until: cancellation, answer: answer)
  }

  /// Makes the account's own row unless it is there.
  func makeProfile(of account: UUID) {
    let stored = try? accounts.store.account(account)
    let name = stored?.account.metadata.last { $0.key == "display_name" }?.value.string
    guard let request = server.profile(of: account, name: name) else { return }
    known.insert(account)
    _ = submit(request, RowDemands(), from: RowCaller(.account(account)), room: AnswerSize.small) { response in
      if case .refused = response { self.known.remove(account) }
    }
  }

  /// A function is called. `answer` is called once, in this turn or after the later ones in which the rows are
  /// read, with the text of a JSON document. `room` is the number of bytes that the answer may have. Returns how much of
  /// the turn the call takes.
  func call(
    _ name: String, _ argument: [UInt8], from caller: RowCaller, room: Int,
    answer: @escaping (Result<[UInt8], FunctionError>) -> Void
  ) -> TurnCost {
    zones.carryOut(server.call(name, argument, from: caller), room: room, answer: answer) { result, _ in
      switch self.server.callProgress(after: result) {
      case .answered(let text): answer(text)
      case .unfinished:
        // Other requests come between.
        self.zones.delay(milliseconds: 1) { _ = self.call(name, argument, from: caller, room: room, answer: answer) }
      }
    }
  }

  /// Removes the rows and objects of an account that was removed.
  func forget(_ account: UUID) {
    known.remove(account)
    maintain(.removeAll(isDryRun: false), of: account) { _ in }
  }

  /// Completes the error of a request that reached no rows with the state of the caller's feed. `table` is that of the
  /// request; nil if it has none. `answer` is called once, in this turn.
  func refuse(with error: RowError, table: Name?, _ caller: RowCaller, answer: @escaping (RowError) -> Void) {
    let table = table.flatMap { OwnTable($0) == .conflicts ? $0 : nil } ?? schema.tables.first?.name
    guard case .account = caller.role, let table else { return answer(error) }
    var store = accounts.store
    let request = RowRequest.read(table, RowQuery(limit: 0), isHead: true)
    guard
      case .submit(let transaction, let database, let sender) = server.receive(
        request, from: caller, at: now().wall, accounts: &store, using: &generator)
    else { return answer(error) }
    _ = zones.transact(transaction, in: database, from: sender, room: AnswerSize.small) { [server] result in
      var completed = error
      if case .done(let result) = server.answer(to: result).response { completed.feed = result.feed }
      answer(completed)
    }
  }

  private func count(_ response: RowResponse) {
    guard case .done(let result) = response else { return }
    for verdict in result.verdicts { verdicts[verdict, default: 0] += 1 }
  }

  private func submit(
    _ request: RowRequest, _ demands: RowDemands, from caller: RowCaller, limits: RowLimits? = nil, room: Int,
    until cancellation: Cancellation = Cancellation(), answer: @escaping (RowResponse) -> Void
  ) -> TurnCost {
    var store = accounts.store
    var server = server
    if let limits { server.limits = limits }
    let reception = server.receive(
      request, demands: demands, from: caller, at: now().wall, accounts: &store, using: &generator)
    let isWrite = if case .read = request { false } else { true }
    let refuse = { (response: RowResponse) in
      guard case .refused(let error) = response else { return answer(response) }
      self.refuse(with: error, table: request.table, caller) { answer(.refused($0)) }
    }
    return zones.carryOut(reception, room: room, until: cancellation, answer: refuse) { [server, accounts] result, _ in
      // Without its claim a row could be made by another account too. The client repeats the request.
      if isWrite, let error = accounts.failure {
        return answer(.refused(RowError(.storeFailed, "the accounts cannot be written: \(error)")))
      }
      let (response, changes) = server.answer(to: result)
      self.count(response)
      answer(response)
      for change in changes { self.onChanges?(change) }
    }
  }
}
