import ZoneKitRecords

/// The places on whose state an answer depends: those that were read for it, and those that it changes.
struct Footprint: Hashable {
  // Arrays, because every request notes places, and only a failed commit looks for one. A place can be there twice.
  private var zones: [ZoneKey] = []
  private var databases: [DatabaseID] = []
  /// The databases whose list of zones was read, including the header of each zone.
  private var zoneLists: [DatabaseID] = []

  /// Adds a zone.
  mutating func note(_ zone: ZoneKey) {
    if zones.last != zone { zones.append(zone) }
  }

  /// Adds a database's own state.
  mutating func note(_ database: DatabaseID) {
    if databases.last != database { databases.append(database) }
  }

  /// Adds the list of a database's zones.
  mutating func note(zonesOf database: DatabaseID) {
    if zoneLists.last != database { zoneLists.append(database) }
  }

  /// Whether the answer depends on that place.
  func contains(_ place: CommitFailure.Place) -> Bool {
    switch place {
    case .zone(let key): zones.contains(key) || zoneLists.contains(key.database)
    case .database(let database): databases.contains(database)
    }
  }
}
