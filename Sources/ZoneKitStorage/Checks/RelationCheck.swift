import ZoneKitRecords

/// Verifies a file of the tables of a user's own schema, whether a server is running or not.
enum RelationCheck {
  /// The faults of the file at that path, which is the place of that container's tables. The order of indexes is not part of
  /// them: it depends on types that only the schema tells.
  static func faults(at path: String, of origin: FileOrigin) -> [FileFault] {
    contentFaults(at: path, of: origin) + [FileFault(permissionsOf: path)].compactMap(\.self)
  }

  private static func contentFaults(at path: String, of origin: FileOrigin) -> [FileFault] {
    do throws(StoreError) {
      // A file without content is one whose creation was interrupted.
      guard !Folder.isEmpty(path) else { return [] }
      let connection = try Connection(path, as: .relations, access: .observe, origin: origin)
      var check = FileCheck(of: connection)
      check.checkPages()
      return check.faults
    } catch {
      return [FileFault(error)]
    }
  }
}
