import ZoneKitRecords

/// The places on whose state an answer depends: those that were read for it, and those that it changes.
struct Footprint: Hashable {
  private var zones: Set<ZoneKey> = []
  private var databases: Set<DatabaseID> = []
  /// The databases whose list of zones was read, including the header of each zone.
  private var zoneLists: Set<DatabaseID> = []

  /// Adds a zone.
  mutating func note(_ zone: ZoneKey) { zones.insert(zone) }

  /// Adds a database's own state.
  mutating func note(_ database: DatabaseID) { databases.insert(database) }

  /// Adds the list of a database's zones.
  mutating func note(zonesOf database: DatabaseID) { zoneLists.insert(database) }

  /// Whether the answer depends on that place.
  func contains(_ place: CommitFailure.Place) -> Bool {
    switch place {
    case .zone(let key): zones.contains(key) || zoneLists.contains(key.database)
    case .database(let database): databases.contains(database)
    }
  }
}
