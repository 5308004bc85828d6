import ZoneKitRecords
import ZoneKitCloud

/// The file of what a database holds besides its zones: identity, subscriptions, push registrations and the names of
/// its zones.
final class DatabaseFile {
  let connection: Connection
  private let findIdentity: Statement
  private let findZones: Statement
  private let findSubscriptions: Statement
  private let findArguments: Statement
  private let findRegistrations: Statement
  private let saveIdentity: Statement
  private let saveZone: Statement
  private let saveSubscription: Statement
  private let saveArgument: Statement
  private let saveRegistration: Statement
  private let removeSubscription: Statement
  private let removeArguments: Statement
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
    findSubscriptions = Statement("SELECT \(Self.subscriptionColumns) FROM subscriptions ORDER BY id", on: connection)
    findArguments = Statement(
      "SELECT argument FROM alert_arguments WHERE subscription = ?1 ORDER BY position", on: connection)
    findRegistrations = Statement("SELECT token, environment, device FROM registrations ORDER BY token", on: connection)
    saveIdentity = Statement("REPLACE INTO database(id, identity) VALUES(1, ?1)", on: connection)
    saveZone = Statement("INSERT OR IGNORE INTO zones(name) VALUES(?1)", on: connection)
    saveSubscription = Statement(
      """
      REPLACE INTO subscriptions(\(Self.subscriptionColumns))
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """, on: connection)
    saveArgument = Statement("INSERT INTO alert_arguments VALUES(?1, ?2, ?3)", on: connection)
    saveRegistration = Statement(
      "REPLACE INTO registrations(token, environment, device) VALUES(?1, ?2, ?3)", on: connection)
    removeSubscription = Statement("DELETE FROM subscriptions WHERE id = ?1", on: connection)
    removeArguments = Statement("DELETE FROM alert_arguments WHERE subscription = ?1", on: connection)
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

  private func subscription(_ row: Row) throws(StoreError) -> Subscription {
    let id = row.text(0)
    let kind = try kind(row)
    return Subscription(
      subscriptionID: id, kind: kind, notificationInfo: row.flag(5) ? try notificationInfo(row, of: id) : nil,
      firesOnce: row.flag(4))
  }

  private func kind(_ row: Row) throws(StoreError) -> Subscription.Kind {
    switch row.text(1) {
    case "zone": return .zone(ZoneID(zoneName: Name(row.text(2)), owner: ZoneOwner(recordName: Name(row.text(3)))))
    case "database": return .database
    case let other:
      throw StoreError(.corrupt, "a subscription has the unknown kind \(other)", place: connection.path)
    }
  }

  private func notificationInfo(_ row: Row, of id: String) throws(StoreError) -> NotificationInfo {
    var info = NotificationInfo(
      alertBody: row.optionalText(6), shouldBadge: row.flag(12), shouldSendContentAvailable: row.flag(13))
    info.alertLocalizationKey = row.optionalText(7)
    info.alertActionLocalizationKey = row.optionalText(8)
    info.alertLaunchImage = row.optionalText(9)
    info.soundName = row.optionalText(10)
    info.category = row.optionalText(11)
    info.alertLocalizationArgs = try findArguments.all(.text(id)) { $0.text(0) }
    return info
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
    for id in change.removedSubscriptions {
      try removeSubscription.run(.text(id))
      try removeArguments.run(.text(id))
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

  private func write(_ subscription: Subscription) throws(StoreError) {
    let info = subscription.notificationInfo ?? NotificationInfo()
    let (kind, zone) = Self.columns(of: subscription.kind)
    try saveSubscription.run(
      .text(subscription.subscriptionID), .text(kind), .text(zone?.zoneName.text), .text(zone?.owner.recordName.text),
      .flag(subscription.firesOnce), .flag(subscription.notificationInfo != nil), .text(info.alertBody),
      .text(info.alertLocalizationKey), .text(info.alertActionLocalizationKey), .text(info.alertLaunchImage),
      .text(info.soundName), .text(info.category), .flag(info.shouldBadge), .flag(info.shouldSendContentAvailable))
    try removeArguments.run(.text(subscription.subscriptionID))
    for (position, argument) in info.alertLocalizationArgs.enumerated() {
      try saveArgument.run(.text(subscription.subscriptionID), .integer(Int64(position)), .text(argument))
    }
  }

  private static func columns(of kind: Subscription.Kind) -> (String, ZoneID?) {
    switch kind {
    case .zone(let zoneID): ("zone", zoneID)
    case .database: ("database", nil)
    }
  }

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
