import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// Finds the claims of rows again, from the names of the records in the accounts' zones: `<table>/<key>`.
enum ZoneClaims {
  /// The claims of all rows in the zones of that name; in all zones if it is nil. A zone that cannot be read is left out,
  /// because nobody can write its rows either.
  static func all(
    root: String, container: Name, environment: Environment, zone: Name?
  ) throws(StoreError) -> [RowClaim] {
    let paths = CloudPaths(root: root)
    var claims: [RowClaim] = []
    for id in try paths.databases() where id.container == container && id.environment == environment {
      guard let account = account(of: id) else { continue }
      for path in try files(of: id, zone: zone, in: paths) {
        claims += (try? rows(inFileAt: path, of: id, ofAnyZone: zone == nil).map { RowClaim($0, by: account) }) ?? []
      }
    }
    return claims
  }

  /// Whether a database is that of an account and has rows.
  static func hasRows(_ id: DatabaseID, in paths: CloudPaths) throws(StoreError) -> Bool {
    guard account(of: id) != nil else { return false }
    return try files(of: id, zone: nil, in: paths).contains { path in
      (try? rows(inFileAt: path, of: id, ofAnyZone: true, limit: 1).isEmpty) == false
    }
  }

  /// The account to which a database belongs; nil if it belongs to none.
  private static func account(of id: DatabaseID) -> UUID? { id.scope == .private ? UUID(id.user.text) : nil }

  private static func files(of id: DatabaseID, zone: Name?, in paths: CloudPaths) throws(StoreError) -> [String] {
    let folder = paths.zonesFolder(of: id)
    let all =
      if let zone {
        [paths.file(of: ZoneKey(database: id, zoneName: zone))]
      } else {
        try paths.zoneFiles(of: id).filter { $0 != CloudPaths.fileName(of: TableApp.journal) }
          .map { folder + "/" + $0 }
      }
    return all.filter { Folder.size(of: $0) > 0 }
  }

  private static func rows(
    inFileAt path: String, of id: DatabaseID, ofAnyZone: Bool, limit: Int = -1
  ) throws(StoreError) -> [RowName] {
    let file = try ZoneFile(path, of: id, access: .observe, durability: .full, checkpointPages: 0)
    // The records of other zones do not have names that begin with their types.
    let isRow = ofAnyZone ? "AND substr(name, 1, length(type) + 1) = type || '/'" : ""
    let names = Statement("SELECT name FROM records WHERE deleted = 0 \(isRow) LIMIT ?1", on: file.connection)
    return try names.all(.integer(Int64(limit))) { $0.text(0) }.compactMap { name in
      guard let slash = name.firstIndex(of: "/") else { return nil }
      return RowName(table: Name(String(name[..<slash])), key: Name(String(name[name.index(after: slash)...])))
    }
  }
}
