import ZoneKitRecords

/// Verifies a file of accounts, whether a server is running or not.
enum AccountCheck {
  /// Whether the content of the file at that path has no fault.
  static func isSound(_ path: String) -> Bool { contentFaults(at: path).isEmpty }

  /// The faults of the file at that path.
  static func faults(at path: String) -> [FileFault] {
    contentFaults(at: path) + [FileFault(permissionsOf: path), FileFault(secretAt: path)].compactMap(\.self)
  }

  private static func contentFaults(at path: String) -> [FileFault] {
    do {
      // A file without content is one whose creation was interrupted.
      guard !Folder.isEmpty(path) else { return [] }
      let file = try AccountFile(path, access: .observe)
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
