import ZoneKitRecords

/// The places whose state an answer rests on: those that were read for it, and those that were changed by way of it.
struct Footprint: Hashable {
  private var zones: Set<ZoneKey> = []
  private var databases: Set<DatabaseID> = []
  /// The databases whose list of zones was read, hence the header of each of their zones.
  private var zoneLists: Set<DatabaseID> = []

  /// Notes that the answer rests on a zone.
  mutating func note(_ zone: ZoneKey) { zones.insert(zone) }

  /// Notes that the answer rests on a database's own state.
  mutating func note(_ database: DatabaseID) { databases.insert(database) }

  /// Notes that the answer rests on the list of a database's zones.
  mutating func note(zonesOf database: DatabaseID) { zoneLists.insert(database) }

  /// Whether the answer rests on that place.
  func contains(_ place: CommitFailure.Place) -> Bool {
    switch place {
    case .zone(let key): zones.contains(key) || zoneLists.contains(key.database)
    case .database(let database): databases.contains(database)
    }
  }
}
