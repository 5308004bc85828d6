import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// Requests for tables, whose senders show a key and perhaps a token.
extension CloudProcess {
  /// A message of a sender arrived who is not known yet. Faults come first: they may be those of the way before the service
  /// that judges the token.
  mutating func receive(
    _ message: CloudMessage, bearing sender: TableSender, at now: Moment, room: Int,
    naming: (FaultSubject) -> FaultSubject, using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    let faulted = faulted(message, from: sender, at: now, naming, using: &generator)
    guard let passed = faulted.map(\.message) ?? message else { return refuse(with: nil, faulted, at: now) }
    let known: CloudSender
    switch caller(sender, of: passed, at: now.wall.advanced(byMilliseconds: faulted?.tokenSkew ?? 0)) {
    case .success(let caller): known = CloudSender(caller)
    case .failure(let problem): return refuse(with: problem.answer(to: passed), faulted, at: now)
    }
    guard let faulted else { return submit(passed, from: known, at: now, room: room, using: &generator) }
    return pass(faulted, from: known, at: now, room: room, using: &generator)
  }

  private mutating func faulted(
    _ message: CloudMessage, from sender: TableSender, at now: Moment, _ naming: (FaultSubject) -> FaultSubject,
    using generator: inout some RandomNumberGenerator
  ) -> FaultedMessage? {
    guard !faults.isEmpty, let tables else { return nil }
    let schema = tables.app.schema
    let users = tables.users(sender.account)
    guard let subject = message.subject(users: users, deviceID: sender.deviceID, schema: schema),
      let hits = hits(on: subject, naming, using: &generator)
    else { return nil }
    return FaultedMessage(message, hits, schema: schema, at: now.wall)
  }

  /// Who sends a message. The driver judges the tokens of a request to the accounts.
  private func caller(
    _ sender: TableSender, of message: CloudMessage, at now: WallTime
  ) -> Result<RowCaller, SenderProblem> {
    if case .unverified = message { return .success(RowCaller(.anonymous, deviceID: sender.deviceID)) }
    return caller(sender, at: now)
  }

  /// Who sends a request, or why its token is not accepted at that time.
  package func caller(_ sender: TableSender, at now: WallTime) -> Result<RowCaller, SenderProblem> {
    if let account = sender.linked { return .success(RowCaller(.account(account), deviceID: sender.deviceID)) }
    let role: RowCaller.Role
    switch sender.token {
    case nil: role = sender.key == .service ? .service : .anonymous
    case .failure(let problem)?: return .failure(.token(problem))
    case .success(let claims)?:
      if let problem = problem(of: claims, at: now) { return .failure(problem) }
      switch claims.role {
      case .anonymous: role = .anonymous
      case .service: role = .service
      case .authenticated: role = claims.account.map { .account($0) } ?? .anonymous
      }
    }
    return .success(RowCaller(role, deviceID: sender.deviceID))
  }

  /// Why the bearer of a token is not admitted at that time; nil if it is.
  func problem(of claims: AccountClaims, at now: WallTime) -> SenderProblem? {
    guard let tables else { return .token(.claims("there are no accounts")) }
    if let problem = claims.problem(at: now) { return .token(problem) }
    do throws(StoreError) {
      return try AccountServer.refusal(of: claims, in: tables.store).map { .token($0) }
    } catch {
      return .unavailable(error)
    }
  }
}
