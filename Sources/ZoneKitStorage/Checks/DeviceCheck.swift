import ZoneKitRecords

/// Verifies the files of devices with SQLite's own check, whether the devices are running or not.
package enum DeviceCheck {
  /// The faults of the device in that folder.
  package static func faults(in folder: String) -> [FileFault] {
    do {
      let file = try DeviceFile.readOnly(folder: folder)
      var check = FileCheck(of: file.connection)
      check.checkIntegrity()
      check.attempt { (_) throws(StoreError) in
        _ = try file.values()
        _ = try file.zones()
      }
      return check.faults + (FileFault(permissionsOf: file.connection.path).map { [$0] } ?? [])
    } catch {
      return [FileFault(error)]
    }
  }
}
