import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableServer
import ZoneKitTables

/// Verifies the objects of all accounts of a cloud: the bytes of each are in an ordinary file of the right size and hash.
struct ObjectCheck {
  /// The faults of the files of objects.
  private var damaged: [FileFault] = []
  /// The faults that kept objects from being found. The check of their zone reports records that cannot be read.
  private var others: [FileFault] = []

  /// All faults.
  var faults: [FileFault] { damaged + others }

  /// Checks the cloud in that folder.
  init(root: String) {
    do throws(StoreError) {
      for database in try CloudFiles.readOnly(root: root).databases() {
        damaged += try Self.damaged(of: database, root: root)
      }
    } catch {
      others.append(FileFault(error))
    }
  }

  /// Moves the damaged files of objects to a folder. The objects stay, so that an upload of their bytes completes them.
  /// The caller holds the cloud's lock.
  static func repair(root: String, backup: String) throws(StoreError) -> [CloudRepair.Deed] {
    try Self(root: root).damaged.movingAway(
      from: root, to: backup, "moved away; its object waits for an upload of the same bytes")
  }

  private static func damaged(of database: DatabaseID, root: String) throws(StoreError) -> [FileFault] {
    let bytes = ObjectBytes(root: root)
    var faulty: [(name: Name, object: StoredObject, fault: FileFault)] = []
    for (name, object) in try objects(of: database, root: root) {
      do throws(StoreError) {
        _ = try bytes.read(object, in: database)
      } catch {
        faulty.append((name, object, FileFault(error)))
      }
    }
    guard !faulty.isEmpty else { return [] }
    // A running server may have removed an object and its file since its record was read.
    let present = try objects(of: database, root: root)
    return faulty.filter { present[$0.name] == $0.object }.sorted { $0.name < $1.name }.map(\.fault)
  }

  private static func objects(of database: DatabaseID, root: String) throws(StoreError) -> [Name: StoredObject] {
    var objects: [Name: StoredObject] = [:]
    for (name, sighting) in try CloudReading(database, root: root).zone(TableApp.objects).sightings {
      guard case .saved(let version) = sighting, let fields = try? version.content.fields.decoded() else { continue }
      objects[name] = try? StoredObject(fields, of: name, updatedAt: version.modified.at)
    }
    return objects
  }
}

extension [FileFault] {
  /// Moves the files that are there from a root folder to the same places of another one.
  func movingAway(from root: String, to backup: String, _ what: String) throws(StoreError) -> [CloudRepair.Deed] {
    var deeds: [CloudRepair.Deed] = []
    for fault in self where Folder.exists(fault.place) {
      let target = backup + fault.place.dropFirst(root.count)
      try Folder.make(Folder.parent(of: target))
      try Folder.rename(fault.place, to: target)
      deeds.append(CloudRepair.Deed(place: fault.place, what: what))
    }
    return deeds
  }
}
