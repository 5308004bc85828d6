import ZoneKitCloud
import ZoneKitRecords

/// The schema of a container.
extension CloudProcess {
  /// A container is used for the first time since the process began. If its zones are older than its schema, that is made of
  /// theirs. Zones that cannot be read do not count; a zone's own definitions are valid there in any case.
  mutating func adoptSchema(
    of database: DatabaseID, at now: Moment, using generator: inout some RandomNumberGenerator
  ) {
    guard zones.policy.schema == nil else { return }
    let definitions: [FieldDefinition]
    do throws(StoreError) {
      guard try zones.store.zone(SchemaDirectory(of: database).zone) == nil else { return }
      definitions = try self.definitions(near: database)
    } catch {
      // The request that is the reason for this reads the same files, and says what is wrong with them.
      return
    }
    guard !definitions.isEmpty else { return }
    zones.transact(
      SchemaAdoption(definitions, near: database, at: now.wall), ticket: nextTicket(), in: database.public,
      from: Caller(user: DatabaseID.publicUser), at: now.wall, using: &generator)
  }

  /// The definitions of all zones of a container and environment.
  private func definitions(near database: DatabaseID) throws(StoreError) -> [FieldDefinition] {
    var found: [FieldDefinition] = []
    for other in try zones.store.databases() where other.public == database.public {
      for header in try zones.store.zones(in: other) where !header.isDeleted {
        found += try zones.store.definitions(in: ZoneKey(database: other, zoneName: header.zoneName))
      }
    }
    return found
  }
}
