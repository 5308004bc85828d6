import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords

extension CloudProcess {
  /// The databases whose registrations the push service does not have yet, because they could not be read.
  struct Restoring: Sendable {
    /// The time between two attempts to read them, in milliseconds.
    static var pause: Int64 { 1_000 }

    var databases: [DatabaseID] = []
    /// When they are read again.
    var next = MonotonicTime(milliseconds: 0)
  }

  /// Passes a committed registration to the push service. Tokens that become invalid because of it leave the store with
  /// the next commit, so that the next process does not restore them.
  mutating func register(
    _ registration: PushRegistration, in database: DatabaseID, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    let effects = gateway.register(
      registration, for: PushGateway.Account(database), mayPoll: registration.isOfCreatedToken)
    for case .fact(.retired(_, let token, let account)) in effects {
      zones.administer(
        .endPushToken(token), ticket: nextTicket(), in: account.database, from: Caller(user: account.user),
        at: now.wall, using: &generator)
    }
    return effects.map { .push($0) }
  }

  /// Passes all registrations in the store to the push service. Those of a database that cannot be read follow when it
  /// can. Throws if the databases cannot be listed.
  package mutating func restoreRegistrations(at now: Moment) throws(StoreError) -> [PushGateway.Effect] {
    uploads.started(at: now.wall)
    restoring.databases = try zones.store.databases()
    return restoreFurther(at: now)
  }

  /// Sends the notifications of this turn. `measure` returns the size of a notification's payload in bytes.
  package mutating func sendPushes(
    at now: Moment, measure: (PushNotification) -> Int
  ) -> [PushGateway.Effect] {
    let restored = restoring.databases.isEmpty || now.monotonic < restoring.next ? [] : restoreFurther(at: now)
    return restored + gateway.endTurn(at: now, measure: measure)
  }

  private mutating func restoreFurther(at now: Moment) -> [PushGateway.Effect] {
    restoring.next = now.monotonic.advanced(byMilliseconds: Restoring.pause)
    let waiting = restoring.databases
    restoring.databases = []
    var effects: [PushGateway.Effect] = []
    for database in waiting {
      guard let state = try? zones.store.database(database) else {
        restoring.databases.append(database)
        continue
      }
      for registration in state.registrations {
        effects += gateway.register(registration, for: PushGateway.Account(database), isRestored: true)
      }
    }
    return effects
  }
}

extension PushGateway.Account {
  /// The account of a database.
  init(_ database: DatabaseID) {
    self.init(container: database.container, environment: database.environment, user: database.user)
  }

  /// The database that keeps the account's registrations.
  fileprivate var database: DatabaseID {
    DatabaseID(container: container, environment: environment, user: user, scope: .private)
  }
}
