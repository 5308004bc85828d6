import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitStorage

/// Deletes all records of zones as a client of their owner would. Each record leaves an ordinary tombstone, so every
/// device fetches the deletion. Zones, subscriptions and registrations remain.
struct CloudErasure {
  let filter: ZoneFilter
  let data: DataDirectory

  /// The zones that match the filter and are not deleted, in ascending order. Throws an input error that lists the
  /// known zones if none matches. A server may be running.
  func plan() throws(StoresError) -> [ZonePlan] {
    guard Folder.exists(data.cloud) else { throw .input("there is no cloud in \(data.cloud)") }
    return try plan(CloudFiles.readOnly(root: data.cloud))
  }

  /// The tables of a user's own whose rows go too, in the order of their names.
  func tables() throws(StoresError) -> [RelationCounts.Table] {
    try StoresError.from { () throws(StoreError) in try ownRows()?.tables ?? [] }
  }

  /// The rows of a user's own tables; nil if there are none, or if the filter is about something else.
  private func ownRows() throws(StoreError) -> RelationCounts? {
    guard filter.includesTables(of: .own) else { return nil }
    return try RelationCounts(root: data.cloud, app: .own)
  }

  /// Removes the rows of a user's own tables, and the bytes of their objects. The caller holds the cloud's lock.
  func removeTables() throws(StoresError) {
    try StoresError.from { () throws(StoreError) in
      guard let rows = try ownRows() else { return }
      try rows.remove()
      let (files, database) = (AssetFiles(root: data.cloud), CloudTables<AccountFiles>.objectDatabase(of: .own))
      for name in try files.names(in: database) { try files.remove(name, in: database) }
    }
  }

  private func plan(_ store: CloudFiles) throws(StoresError) -> [ZonePlan] {
    var known: [ZonePlan] = []
    try StoresError.from { () throws(StoreError) in
      for database in try store.databases() {
        for header in try store.zones(in: database) where !header.isDeleted {
          let zone = ZoneKey(database: database, zoneName: header.zoneName)
          if !zone.isInternal { known.append(ZonePlan(zone: zone, records: header.recordCount)) }
        }
      }
    }
    let meant = known.filter { filter.includes($0.zone) }
    if meant.isEmpty, filter != ZoneFilter(), try tables().isEmpty { throw unknownZone(known.map(\.zone)) }
    return meant
  }

  private func unknownZone(_ known: [ZoneKey]) -> StoresError {
    let names = known.map { zone in
      let database = zone.database
      return "\(zone.zoneName) of \(database.user) (\(database.container), \(database.environment), \(database.scope))"
    }
    let those = names.isEmpty ? "there are none" : "there are " + names.joined(separator: "; ")
    return .input("there is no zone \(filter.zoneName?.text ?? "") that fits in \(data.cloud); \(those)")
  }

  /// Deletes the records of those zones, in one transaction per zone, and returns the zones. The caller holds the
  /// cloud's lock. A zone that cannot be written is unchanged, and the error names it.
  func perform(
    at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(StoresError) -> [ZonePlan] {
    let store = try StoresError.from { () throws(StoreError) in try CloudFiles(root: data.cloud) }
    defer { store.close() }
    let zones = try plan(store)
    var server = ZoneServer(store: store)
    for (number, plan) in zones.enumerated() {
      let database = plan.zone.database
      server.administer(
        .eraseRecords(ZoneID(zoneName: plan.zone.zoneName)), ticket: Ticket(number), in: database,
        from: Caller(user: database.user), at: now, using: &generator)
    }
    for case .answer(let ticket, .failure(let error)) in server.endTurn(using: &generator) {
      throw .unavailable("zone \(zones[ticket.number].zone.zoneName): \(error.reason)")
    }
    return zones
  }
}
