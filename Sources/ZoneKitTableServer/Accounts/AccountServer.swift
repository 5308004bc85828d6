import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// The accounts of a table server: sign-up, sign-in, sessions with refresh tokens that are used once, and administration.
///
/// It answers the requests of a turn after the turn's commit. If the commit fails, all of them get the same error, because
/// each of them has read or written what the commit lost.
package struct AccountServer: Sendable {
  /// What the driver has to do.
  package enum Effect: Equatable, Sendable {
    /// Send the answer to a request.
    case answer(Ticket, AccountResponse)
  }

  /// The answers of this turn.
  private var answers: [(ticket: Ticket, response: AccountResponse)] = []
  private var attempts: AttemptCounter

  /// A server of accounts.
  package init(limits: AccountLimits) { attempts = AttemptCounter(limits) }

  // MARK: Before a request is verified

  /// Counts a try to sign in or up with that e-mail address from that network address. Returns the error if there were
  /// too many. Only an admitted request is worth the work of hashing its password.
  package mutating func admit(email: String, from address: String, at now: MonotonicTime) -> AccountError? {
    // All texts that are no e-mail address count as one.
    guard let wait = attempts.take(AccountRules.email(email) ?? "", from: address, at: now) else { return nil }
    return AccountError(
      .overRequestRateLimit, "Request rate limit reached; try again in \(wait) s", retryAfter: wait)
  }

  /// The password of the account with that e-mail address; nil if there is no account or it has none.
  package static func password(
    of email: String, in store: some AccountStore
  ) throws(AccountError) -> PasswordRecord? {
    guard let email = AccountRules.email(email) else { return nil }
    return try reading { () throws(StoreError) in try store.account(email: email)?.password }
  }

  /// The account whose session the refresh token with that hash continues; nil if none is known.
  package static func account(refreshing hash: TokenHash, in store: some AccountStore) -> UUID? {
    guard let token = try? store.refreshToken(hash) else { return nil }
    return (try? store.session(token.session))?.account
  }

  // MARK: Requests

  /// A verified request arrived. Its answer is among the effects of the turn's end. Returns the account that the
  /// request makes, so that its own row is made in the same turn, and the account that it makes, changes or removes; nil for
  /// none.
  @discardableResult
  package mutating func receive(
    _ event: AccountEvent, ticket: Ticket, at now: WallTime, in store: inout some AccountStore,
    using generator: inout some RandomNumberGenerator
  ) -> (made: UUID?, changed: UUID?) {
    let response: AccountResponse
    do throws(AccountError) {
      response = try answer(event, at: now, in: &store, using: &generator)
    } catch {
      response = .failure(error)
    }
    answers.append((ticket, response))
    if case .session(let grant) = response {
      switch event {
      case .signIn(_, _, let place, _), .signUp(_, _, _, let place, _):
        attempts.succeeded(grant.account.email, from: place)
      default: break
      }
    }
    let account: UUID? =
      switch response {
      case .session(let grant): grant.account.id
      case .account(let account): account.id
      case .accounts, .signedOut, .failure: nil
      }
    switch event {
    case .signUp, .create: return (account, account)
    case .signIn, .update, .change, .remove: return (nil, account)
    case .refresh, .read, .signOut, .list, .find, .endSessions, .refused: return (nil, nil)
    }
  }

  /// Takes back an account that a request of this turn has made, and answers the request with an error.
  package mutating func takeBack(
    _ account: UUID, of ticket: Ticket, _ error: AccountError, in store: inout some AccountStore
  ) {
    guard let place = answers.firstIndex(where: { $0.ticket == ticket }) else { return }
    do throws(AccountError) {
      _ = try remove(account, in: &store)
      answers[place].response = .failure(error)
    } catch {
      answers[place].response = .failure(error)
    }
  }

  /// Ends the turn. `failure` is the error of the store's commit; nil if it was made.
  package mutating func endTurn(_ failure: StoreError?) -> [Effect] {
    let effects = answers.map { answer in
      Effect.answer(answer.ticket, failure.map { .failure(.unavailable($0)) } ?? answer.response)
    }
    answers.removeAll(keepingCapacity: true)
    return effects
  }

  private func answer(
    _ event: AccountEvent, at now: WallTime, in store: inout some AccountStore,
    using generator: inout some RandomNumberGenerator
  ) throws(AccountError) -> AccountResponse {
    switch event {
    case .signIn(let email, let password, from: _, let token):
      return try signIn(email, matching: password, token, at: now, in: &store, using: &generator)
    case .signUp(let email, let password, let metadata, from: _, let token):
      let change = AccountChange(email: email, password: password, metadata: metadata)
      let made = try create(change, at: now, in: &store, using: &generator)
      return start(made, token, at: now, in: &store, using: &generator)
    case .refresh(let hash, let token): return try refresh(hash, token, at: now, in: &store)
    case .read(let claims): return .account(try bearer(of: claims, at: now, in: store).known.account)
    case .update(let claims, let change):
      let (known, session) = try bearer(of: claims, at: now, in: store)
      return .account(try apply(change, to: known, keeping: session.id, at: now, in: &store))
    case .signOut(let claims, let scope): return try signOut(claims, scope, at: now, in: &store)
    case .list(let page, let size): return try list(page: page, size: size, in: store)
    case .create(let change, let id):
      return .account(try create(change, id: id, at: now, in: &store, using: &generator).account)
    case .find(let id): return .account(try known(id, in: store).account)
    case .change(let id, let change):
      return .account(try apply(change, to: known(id, in: store), keeping: nil, at: now, in: &store))
    case .remove(let id): return try remove(id, in: &store)
    case .endSessions(let id):
      let known = try known(id, in: store)
      try endSessions(of: id, in: &store) { _ in true }
      return .account(known.account)
    case .refused(let error): throw error
    }
  }

  /// Reads the store. An error becomes the one that clients see.
  static func reading<Value>(_ body: () throws(StoreError) -> Value) throws(AccountError) -> Value {
    do {
      return try body()
    } catch {
      throw .unavailable(error)
    }
  }
}
