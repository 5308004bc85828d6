import ZoneKitCatalogue
import ZoneKitCloud
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

/// The part of a cloud's process that serves the tables of a schema of a user's own.
///
/// Requests are carried out when they arrive. Their answers wait for the commit of their turn.
package struct CloudRelations {
  private var server: RelationServer<AnyRelationStore>
  /// The answers of this turn.
  private var held: [(ticket: Ticket, outcome: RelationServer<AnyRelationStore>.Outcome)] = []
  /// The answers to requests for objects of this turn, each with the place of the bytes of an upload.
  private var heldObjects:
    [(ticket: Ticket, outcome: RelationServer<AnyRelationStore>.ObjectOutcome, upload: ObjectTurn.Place?)] = []
  /// What changed with accounts in this turn.
  private var accountChanges: [RelationChange] = []
  /// The committed changes that no channel was told yet, with their times.
  private var untold: [(change: RelationChange, at: WallTime)] = []
  /// How many of them were told.
  private var told = 0
  /// Whether the accounts as rows may differ from the accounts themselves.
  private(set) var needsAccounts = true

  /// The tables of a schema, which the store has to have.
  package init(_ schema: PreparedSchema, store: some RelationStore) {
    self.init(RelationServer(schema, on: AnyRelationStore(store)))
  }

  /// The tables of a schema in an empty store, which gets them with their first rows. Throws why those cannot be made.
  package init<Store: RelationStore>(
    _ schema: PreparedSchema, making store: Store, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(SchemaRefusal) {
    let random = RandomUUIDs(using: &generator)
    let context = EvaluationContext(now: now.milliseconds * 1_000, randomUUID: { random.next() })
    var made = store
    try SchemaAdoption(schema, from: nil, context).carryOut(on: &made)
    if let error = made.commit() { throw .store(error) }
    self.init(schema, store: made)
  }

  /// Goes on as a new process over the same store does, with the rows that are committed.
  package mutating func restart() {
    server.store.discard()
    self = CloudRelations(RelationServer(schema, on: server.store))
  }

  private init(_ server: RelationServer<AnyRelationStore>) { self.server = server }

  /// The tables.
  package var schema: PreparedSchema { server.schema }

  /// The rows.
  package var store: AnyRelationStore { server.store }

  /// A request arrived. Its answer comes with the commit of the turn. `room` is the number of bytes that the answer may have.
  /// Returns how much of the turn the request takes.
  mutating func receive(
    _ request: RelationRequest, ticket: Ticket, room: Int, _ context: EvaluationContext
  ) -> TurnCost {
    var outcome = server.carryOut(request, context)
    let size = (try? outcome.result.get())?.size ?? 0
    if size > room, !request.isWrite {
      outcome.result = .failure(
        RowError(
          .tooMuchWork, "the answer has more than \(room) bytes", hint: "Ask for fewer rows or columns at once."))
    }
    held.append((ticket, outcome))
    return TurnCost(answerBytes: min(size, room), readBytes: size, changes: outcome.changes.count)
  }

  /// Why an upload is refused before its bytes are stored; nil if it may be tried.
  func refusal(ofUploadTo path: String, in bucket: String, _ content: ObjectContent) -> ObjectError? {
    let context = EvaluationContext(now: 0, randomUUID: { UUID(high: 0, low: 0) })
    return server.refusal(ofUploadTo: path, in: bucket, content, context)
  }

  /// A request for objects arrived. Its answer comes with the commit of the turn. `upload` is the place of the bytes of an
  /// upload, which are stored.
  mutating func receive(
    _ request: ObjectRequest, upload: ObjectTurn.Place?, ticket: Ticket, _ context: EvaluationContext
  ) {
    heldObjects.append((ticket, server.carryOut(request, context), upload))
  }

  /// Ends the turn. `failure` is the error of the accounts' commit, after which nothing is kept. Returns the answers and the
  /// committed changes.
  mutating func endTurn(after failure: StoreError?) -> [TurnEffect] {
    let error: StoreError?
    if let failure {
      server.store.discard()
      error = failure
    } else {
      error = server.store.commit()
    }
    defer { (held, heldObjects, accountChanges) = ([], [], []) }
    guard let error else {
      let changes = accountChanges.isEmpty ? [] : [TurnEffect.relationsChanged(accountChanges)]
      return changes + held.map { .relation($0.ticket, $0.outcome.result, $0.outcome.changes) }
        + heldObjects.map { .object($0.ticket, $0.outcome.response, unused: $0.outcome.unused, upload: $0.upload) }
    }
    needsAccounts = true
    let refusal = RowError(.storeFailed, "the rows cannot be written: \(error)")
    let objectRefusal = ObjectResponse.refused(.unavailable("the objects cannot be written: \(error)"))
    return held.map { .relation($0.ticket, .failure(refusal), []) }
      + heldObjects.map { .object($0.ticket, objectRefusal, unused: [], upload: nil) }
  }

  /// Closes the store.
  package mutating func close() { server.store.close() }

  // MARK: Channels

  /// Whether changes wait to be told.
  var hasUntold: Bool { !untold.isEmpty }

  /// Changes were committed. The channels are told of those of tables that send changes.
  mutating func tell(_ changes: [RelationChange], at now: WallTime) {
    untold += changes.filter {
      $0.table.schema == ObjectName.usualSchema && schema.catalogue.sendsChanges(of: $0.table)
    }.map { ($0, now) }
  }

  /// Removes and returns the next change that is to be told; nil if there is none.
  mutating func nextUntold() -> (change: RelationChange, at: WallTime)? {
    guard told < untold.count else { return nil }
    defer {
      told += 1
      if told == untold.count { (untold, told) = ([], 0) }
    }
    return untold[told]
  }

  /// Notes in the entries of a join why they cannot be served.
  func check(_ request: inout ChannelRequest) {
    guard case .join(var join) = request.wish else { return }
    for place in join.entries.indices where join.entries[place].problem == nil {
      guard let problem = server.problem(of: join.entries[place]) else { continue }
      join.entries[place].problem = "Unable to subscribe to changes with given parameters: \(problem)"
    }
    request.wish = .join(join)
  }

  /// What is told of a change; nil if its table is none of a user's own.
  func event(of change: RelationChange, at time: WallTime) -> RelationEvent? { server.event(of: change, at: time) }

  /// Whether an entry of a channel asks for a change, and its bearer may see the row.
  func isAsked(_ change: RelationChange, by entry: ChannelEntry, _ context: EvaluationContext) -> Bool {
    server.isAsked(change, by: entry, context)
  }

  // MARK: Accounts

  /// Accounts were changed outside of the process. Their rows follow with the next request.
  package mutating func accountsChanged() { needsAccounts = true }

  /// Makes the rows of `auth.users` those accounts, after which they follow each change.
  mutating func set(_ accounts: [Account], _ context: EvaluationContext) -> StoreError? {
    do throws(StoreError) {
      let known = Set(accounts.map(\.id))
      for row in try server.accounts(context) where !known.contains(row) {
        // An account that rows refer to keeps its row, as it cannot be removed.
        _ = server.removeAccount(row, context)
      }
      for account in accounts {
        switch server.set(account, context) {
        case .success(let changes): accountChanges += changes
        case .failure(let error): throw StoreError(.failed, error.message, place: "the accounts' rows")
        }
      }
      needsAccounts = false
      return nil
    } catch {
      return error
    }
  }

  /// An account was made or changed. Returns why its row cannot follow; nil if it has.
  mutating func changed(_ account: Account, _ context: EvaluationContext) -> RowError? {
    switch server.set(account, context) {
    case .success(let changes):
      accountChanges += changes
      return nil
    case .failure(let error):
      // The account is there even so, unless it is new.
      needsAccounts = true
      return error
    }
  }

  /// An account is to be removed. Returns why its row cannot be; nil if it is gone with all that belongs to it.
  mutating func remove(_ account: UUID, _ context: EvaluationContext) -> RowError? {
    switch server.removeAccount(account, context) {
    case .success(let changes):
      accountChanges += changes
      return nil
    case .failure(let error): return error
    }
  }
}
