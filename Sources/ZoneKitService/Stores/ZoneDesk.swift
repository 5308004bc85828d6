import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// Forgets old tombstones of zones in a data directory: with requests to its server if one is running, else in its files.
package struct ZoneDesk {
  private let data: DataDirectory
  private let container: Name

  /// The zones of a container in a data directory.
  package init(of data: DataDirectory, container: Name) {
    self.data = data
    self.container = container
  }

  /// A zone, and the number of its tombstones that are forgotten.
  package struct Report: Hashable, Sendable {
    /// The zone.
    package let zone: ZoneKey
    /// The number of tombstones.
    package let tombstones: Int
  }

  /// Whether an account has a database in the container. A server may be running.
  package func hasZones() throws(StoresError) -> Bool {
    guard Folder.exists(data.cloud) else { return false }
    return try StoresError.from { () throws(StoreError) in
      try CloudFiles.readOnly(root: data.cloud).databases().contains { $0.container == container }
    }
  }

  /// The zones of an account, or of all accounts if none is named, with the tombstones that were made before that time. A
  /// server may be running. Throws an input error that lists the accounts if there is none of that name.
  package func plan(before time: WallTime, of user: Name?) throws(StoresError) -> [Report] {
    guard Folder.exists(data.cloud) else { return [] }
    let store = CloudFiles.readOnly(root: data.cloud)
    let databases = try StoresError.from { () throws(StoreError) in
      try store.databases().filter { $0.container == container }
    }
    if let user, !databases.contains(where: { $0.user == user }) {
      let names = Set(databases.map(\.user)).sorted().map(\.text).joined(separator: ", ")
      throw .input(
        "no zones of \(user) are in \(data.cloud); there are those of \(names.isEmpty ? "nobody" : names)")
    }
    return try StoresError.from { () throws(StoreError) in
      var reports: [Report] = []
      for database in databases where user == nil || database.user == user {
        for header in try store.zones(in: database) where !header.isDeleted && !header.zoneName.isDefaultZone {
          let zone = ZoneKey(database: database, zoneName: header.zoneName)
          guard !zone.isInternal else { continue }
          let times = try store.feed(.tombstones, in: zone).page.rows.map(\.modifiedAt)
          reports.append(Report(zone: zone, tombstones: TombstonePurge.count(times, before: time)))
        }
      }
      return reports
    }
  }

  /// Forgets the tombstones of a plan that were made before that time.
  package func perform(_ plan: [Report], before time: WallTime) throws(StoresError) {
    let requests = plan.filter { $0.tombstones > 0 }.map { report in
      AdministrationRequest(
        .purgeTombstones(ZoneID(zoneName: report.zone.zoneName), before: time), in: report.zone.database,
        from: Caller(user: report.zone.database.user))
    }
    guard !requests.isEmpty else { return }
    if let server = RunningServer.control(in: data) {
      for request in requests {
        _ = try ServerControl.ask(server, "POST", "/zonekit/administration", request.json)
      }
      return
    }
    try HeldFolders.withStoppedCloud(in: data) { (cloud) throws(StoresError) in
      for request in requests {
        let message = CloudMessage.administration(request.operation, in: request.database)
        let answer = cloud.serve(message, from: CloudSender(request.caller), at: SystemClock.wall)
        guard case .call(.failure(let error))? = answer else { continue }
        throw .unavailable("zone of \(request.database.user): \(error.reason)")
      }
    }
  }
}
