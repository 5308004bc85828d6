import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer

/// Finds the claims of rows again, from the names of the records in the accounts' zones: `<table>/<key>`.
enum ZoneClaims {
  /// The claims of all rows in the zones of that name. A zone that cannot be read is left out, because nobody can write
  /// its rows either.
  static func all(
    root: String, container: Name, environment: Environment, zone: Name
  ) throws(StoreError) -> [RowClaim] {
    let paths = CloudPaths(root: root)
    var claims: [RowClaim] = []
    for id in try paths.databases() where id.container == container && id.environment == environment {
      let path = paths.file(of: ZoneKey(database: id, zoneName: zone))
      guard id.scope == .private, let account = UUID(id.user.text), !Folder.isEmpty(path) else { continue }
      claims += (try? rows(inFileAt: path, of: id).map { RowClaim($0, by: account) }) ?? []
    }
    return claims
  }

  private static func rows(inFileAt path: String, of id: DatabaseID) throws(StoreError) -> [RowName] {
    let file = try ZoneFile(path, of: id, access: .observe, durability: .full, checkpointPages: 0)
    let names = Statement("SELECT name FROM records WHERE deleted = 0", on: file.connection)
    return try names.all { $0.text(0) }.compactMap { name in
      guard let slash = name.firstIndex(of: "/") else { return nil }
      return RowName(table: Name(String(name[..<slash])), key: Name(String(name[name.index(after: slash)...])))
    }
  }
}
