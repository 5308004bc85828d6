import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A filter for the zones of a cloud. A property that is nil matches any value.
package struct ZoneFilter: Hashable, Sendable {
  /// The zone's name.
  package var zoneName: Name?
  /// The account that owns the zone.
  package var user: Name?
  /// The container.
  package var container: Name?
  /// The container's environment.
  package var environment: Environment?

  /// A filter of those names.
  package init(zoneName: Name? = nil, user: Name? = nil, container: Name? = nil, environment: Environment? = nil) {
    self.zoneName = zoneName
    self.user = user
    self.container = container
    self.environment = environment
  }

  /// Whether the tables of an app, which lie in no zone and belong to no account, match.
  func includesTables(of app: TableApp) -> Bool {
    zoneName == nil && user == nil && (container == nil || container == app.container)
      && (environment == nil || environment == app.environment)
  }

  /// Whether the zone matches.
  func includes(_ zone: ZoneKey) -> Bool {
    (zoneName == nil || zoneName == zone.zoneName) && (user == nil || user == zone.database.user)
      && (container == nil || container == zone.database.container)
      && (environment == nil || environment == zone.database.environment)
  }
}
