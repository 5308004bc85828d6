import ZoneKitCloud
import ZoneKitRecords

/// The directory of users.
extension CloudProcess {
  /// Sets the users with credentials of the server.
  package mutating func register(_ users: [DirectoryUser]) { knownUsers.register(users) }

  /// A request to a database arrived. If the process does not know its user yet, it enters the user into the directory of
  /// the container first. Tables have accounts of their own.
  mutating func meet(
    _ caller: Caller, in database: DatabaseID, at now: Moment, using generator: inout some RandomNumberGenerator
  ) {
    guard tables?.app.container != database.container else { return }
    let isAccount = caller.user != DatabaseID.publicUser && !caller.user.text.isEmpty
    let newcomers = knownUsers.newcomers(isAccount ? caller.user : nil, in: database)
    let opens = knownUsers.opens(database)
    guard opens || !newcomers.isEmpty else { return }
    if knownUsers.isFirst(to: database) { adoptSchema(of: database, at: now, using: &generator) }
    enter(newcomers, in: database, opensPublicZone: opens, at: now, using: &generator)
  }

  /// Enters users into the directory of a database's container and environment. See `UserRegistration`.
  package mutating func enter(
    _ users: [DirectoryUser], in database: DatabaseID, opensPublicZone: Bool = false, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) {
    let ticket = nextTicket()
    waiting[ticket] = Waiting(step: .registration(users.map(\.account), database), isLast: false)
    zones.transact(
      UserRegistration(users, near: database, opensPublicZone: opensPublicZone, at: now.wall), ticket: ticket,
      in: database.public, from: Caller(user: DatabaseID.publicUser), at: now.wall, using: &generator)
  }

  /// The registration of users ended.
  mutating func finishRegistration(
    of users: [Name], in database: DatabaseID, _ ticket: Ticket, _ result: TransactionResult
  ) {
    waiting[ticket] = nil
    if case .failed = result { knownUsers.forget(users, in: database) }
  }
}
