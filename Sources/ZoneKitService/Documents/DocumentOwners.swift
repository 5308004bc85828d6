import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage

/// The file in a cloud's folder that names the apps whose documents were served from it, by their containers and zones. An
/// app whose documents lie where those of another one are would show and overwrite them.
enum DocumentOwners {
  /// The file's name.
  static let fileName = "documents.json"

  /// Notes that the folder has documents of the app. Throws if their place is that of another app.
  static func note(_ app: DocumentApp, in folder: String) throws(StoreError) {
    let path = folder + "/" + fileName
    let place = "\(app.container)/\(app.zone)"
    // A file that cannot be understood is written anew: the documents do not depend on it.
    let known = try Folder.read(path).flatMap { try? JSON(parsing: $0) }?.object ?? []
    guard let owner = known.first(where: { $0.key == place })?.value.string else {
      return try Folder.write(JSON.object(known + [JSON.Member(place, .string(app.name))]).bytes(), to: path)
    }
    guard owner != app.name else { return }
    throw StoreError(
      .failed,
      "the zone \(app.zone) of \(app.container) has the documents of \(owner), and those of \(app.name) would lie among "
        + "them; name another folder with --data, or another x-zonekit-container or x-zonekit-zone in the file of "
        + "\(app.name)", place: folder)
  }

  /// What is wrong with the file in a cloud's folder; nothing if there is none.
  static func faults(in folder: String) -> [FileFault] {
    let path = folder + "/" + fileName
    do throws(StoreError) {
      _ = try Folder.read(path)
    } catch {
      return [FileFault(error)]
    }
    return [FileFault(permissionsOf: path)].compactMap(\.self)
  }

  /// Moves what is no file in its place to the folder `backup`. The next start notes the app again. The caller holds the
  /// cloud's lock.
  static func repair(in folder: String, backup: String) throws(StoreError) -> [CloudRepair.Deed] {
    let path = folder + "/" + fileName
    do throws(StoreError) {
      _ = try Folder.read(path)
      return []
    } catch {
      guard error.kind == .corrupt else { return [] }
      try Folder.make(backup)
      try Folder.rename(path, to: backup + "/" + fileName)
    }
    return [CloudRepair.Deed(place: path, what: "moved away; a new one is made with the next start")]
  }
}
