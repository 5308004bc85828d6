import ZoneKitRecords
import ZoneKitCloud

/// The file of what a database holds besides its zones: identity, subscriptions, push registrations and the names of
/// its zones.
final class DatabaseFile {
  let connection: Connection
  private let findIdentity: Statement
  private let findZones: Statement
  private let findSubscriptions: Statement
  let findArguments: Statement
  private let findRegistrations: Statement
  private let saveIdentity: Statement
  private let saveZone: Statement
  let saveSubscription: Statement
  let saveArgument: Statement
  private let saveRegistration: Statement
  private let removeSubscription: Statement
  let removeArguments: Statement
  private let removeRegistration: Statement
  private(set) var isInTransaction = false

  /// The file of that database at that path; of any database if `id` is nil.
  init(
    _ path: String, of id: DatabaseID?, access: Access, durability: Durability, reserve: FileReserve? = nil,
    isDamaged: Bool = false
  ) throws(StoreError) {
    let connection = try Connection(
      path, as: .database, access: access, durability: durability, origin: id.map { FileOrigin($0) }, reserve: reserve,
      isDamaged: isDamaged)
    self.connection = connection
    findIdentity = Statement("SELECT identity FROM database", on: connection)
    findZones = Statement("SELECT name FROM zones ORDER BY name", on: connection)
    // Files from before version 3 have subscriptions by their IDs alone.
    let isOlder = connection.version < 3
    let added = isOlder ? "NULL, NULL, '', NULL" : "query, fires_on, user, more"
    findSubscriptions = Statement(
      "SELECT \(Self.subscriptionColumns), \(added) FROM subscriptions ORDER BY id\(isOlder ? "" : ", user")",
      on: connection)
    findArguments = Statement(
      """
      SELECT argument FROM alert_arguments WHERE subscription = ?1 AND \(isOlder ? "'' = ?2" : "user = ?2")
      ORDER BY position
      """, on: connection)
    findRegistrations = Statement("SELECT token, environment, device FROM registrations ORDER BY token", on: connection)
    saveIdentity = Statement("REPLACE INTO database(id, identity) VALUES(1, ?1)", on: connection)
    saveZone = Statement("INSERT OR IGNORE INTO zones(name) VALUES(?1)", on: connection)
    saveSubscription = Statement(
      """
      REPLACE INTO subscriptions(\(Self.subscriptionColumns), query, fires_on, user, more)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
      """, on: connection)
    saveArgument = Statement("INSERT INTO alert_arguments VALUES(?1, ?2, ?3, ?4)", on: connection)
    saveRegistration = Statement(
      "REPLACE INTO registrations(token, environment, device) VALUES(?1, ?2, ?3)", on: connection)
    removeSubscription = Statement("DELETE FROM subscriptions WHERE id = ?1 AND user = ?2", on: connection)
    removeArguments = Statement(
      "DELETE FROM alert_arguments WHERE subscription = ?1 AND user = ?2", on: connection)
    removeRegistration = Statement("DELETE FROM registrations WHERE token = ?1", on: connection)
  }

  private static let subscriptionColumns = """
    id, kind, zone, owner, fires_once, notifies, alert_body, alert_key, alert_action_key, launch_image, sound, category,
    badge, content_available
    """

  /// The content of the file. The sequence is not part of it; it is in the zone files.
  func state() throws(StoreError) -> DatabaseState {
    DatabaseState(
      identity: try findIdentity.first { UInt64(bitPattern: $0.integer(0)) },
      subscriptions: try findSubscriptions.all { row throws(StoreError) in try subscription(row) },
      registrations: try findRegistrations.all { row throws(StoreError) in try registration(row) })
  }

  /// The subscriptions and registrations of a damaged file that can be read.
  func readableState() -> DatabaseState {
    var state = DatabaseState()
    try? findSubscriptions.visit { row in
      if let found = try? subscription(row) { state.subscriptions.append(found) }
      return true
    }
    try? findRegistrations.visit { row in
      if let found = try? registration(row) { state.registrations.append(found) }
      return true
    }
    return state
  }

  /// The zones of the database at its last commit, in ascending order.
  func zoneNames() throws(StoreError) -> [Name] { try findZones.all { Name($0.text(0)) } }

  private func registration(_ row: Row) throws(StoreError) -> PushRegistration {
    guard let environment = Environment(rawValue: row.text(1)) else {
      throw StoreError(
        .corrupt, "a push registration has the unknown environment \(row.text(1))", place: connection.path)
    }
    return PushRegistration(token: row.text(0), environment: environment, deviceID: row.optionalText(2))
  }

  /// Begins a transaction.
  func begin() throws(StoreError) {
    try connection.execute("BEGIN IMMEDIATE")
    connection.began()
    isInTransaction = true
  }

  /// Writes a change in the open transaction.
  func write(_ change: DatabaseTransition) throws(StoreError) {
    if let identity = change.identity { try saveIdentity.run(.integer(Int64(bitPattern: identity))) }
    for key in change.removedSubscriptions {
      try removeSubscription.run(.text(key.id.text), .text(key.user?.text ?? ""))
      try removeArguments.run(.text(key.id.text), .text(key.user?.text ?? ""))
    }
    for subscription in change.savedSubscriptions { try write(subscription) }
    for token in change.removedRegistrations { try removeRegistration.run(.text(token)) }
    for registration in change.savedRegistrations {
      try saveRegistration.run(
        .text(registration.token), .text(registration.environment.rawValue), .text(registration.deviceID))
    }
  }

  /// Adds a zone name to the list in the open transaction.
  func write(zone name: Name) throws(StoreError) { try saveZone.run(.text(name.text)) }

  /// Empties the list of zones and removes the identity in the open transaction.
  func forgetIdentityAndZones() throws(StoreError) { try connection.execute("DELETE FROM zones; DELETE FROM database") }

  /// Commits the transaction. After an error it is still open and has to be rolled back.
  func commit() throws(StoreError) {
    try connection.commit { () throws(StoreError) in try connection.execute("COMMIT") }
    isInTransaction = false
  }

  /// Rolls the transaction back.
  func rollBack() {
    connection.rollBack()
    isInTransaction = false
  }
}
