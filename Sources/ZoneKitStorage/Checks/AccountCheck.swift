import ZoneKitCloud
import ZoneKitRecords

/// Verifies a file of accounts, whether a server is running or not.
enum AccountCheck {
  /// Whether the content of the file at that path has no fault.
  static func isSound(_ path: String, of origin: FileOrigin) -> Bool { contentFaults(at: path, of: origin).isEmpty }

  /// The faults of the file at that path, which is the place of that container's accounts.
  static func faults(at path: String, of origin: FileOrigin) -> [FileFault] {
    contentFaults(at: path, of: origin)
      + [FileFault(permissionsOf: path), FileFault(secretAt: path)].compactMap(\.self)
  }

  /// The containers whose accounts have rows, but no file, in ascending order.
  static func missing(in paths: CloudPaths) throws(StoreError) -> [FileOrigin] {
    var missing: [FileOrigin] = []
    for id in try paths.databases() {
      let origin = FileOrigin(container: id.container, environment: id.environment)
      guard !missing.contains(origin), !Folder.exists(paths.accountFile(of: origin)),
        try ZoneClaims.hasRows(id, in: paths)
      else { continue }
      missing.append(origin)
    }
    return missing
  }

  private static func contentFaults(at path: String, of origin: FileOrigin) -> [FileFault] {
    do {
      // A file without content is one whose creation was interrupted.
      guard !Folder.isEmpty(path) else { return [] }
      let file = try AccountFile(path, of: origin, access: .observe)
      var check = FileCheck(of: file.connection)
      check.checkIntegrity()
      check.expectNone(
        "SELECT count(*) FROM sessions WHERE user NOT IN (SELECT id FROM users)", "sessions belong to no account")
      check.expectNone(
        "SELECT count(*) FROM refresh_tokens WHERE session NOT IN (SELECT id FROM sessions)",
        "refresh tokens belong to no session")
      if try AccountSalvage(path: path).isIncomplete { check.add("rows cannot be read") }
      return check.faults
    } catch {
      return [FileFault(error)]
    }
  }
}
