import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables

/// Files with bytes that belong to no object of a cloud. Uploads leave them whose server was killed between the file and
/// the commit, or between the commit and the removal of what it replaced.
package struct ObjectLeftovers {
  /// The paths of the files, in the order of their databases.
  package private(set) var places: [String] = []
  /// The bytes in them.
  package private(set) var bytes: Int64 = 0

  /// The leftovers of the cloud in that folder. Nothing else has it open. Of a database whose objects cannot be read one and
  /// all, or were lost in part, only unfinished files are leftovers: the bytes may be all that is left of an object.
  package init(in root: String) throws(StoreError) {
    let (store, files) = (CloudFiles.readOnly(root: root), AssetFiles(root: root))
    for database in try store.databases() {
      // A folder that cannot be read is an error of its database, which is reported where that is served.
      guard let names = try? files.names(in: database), !names.isEmpty else { continue }
      let needed = needed(in: database, of: store, root: root)
      for name in names where AssetFiles.isUnfinished(name) || needed?.contains(name) == false {
        let place = files.path(name, in: database)
        places.append(place)
        bytes += Folder.size(of: place)
      }
    }
  }

  /// Removes the files.
  package func remove() throws(StoreError) {
    for place in places { try Folder.remove(place) }
  }

  /// The hashes that the objects of a database need; nil if that is not known.
  private func needed(in database: DatabaseID, of store: CloudFiles, root: String) -> Set<String>? {
    let key = ZoneKey(database: database, zoneName: TableApp.objects)
    guard let header = (try? store.zone(key)) ?? nil, !header.isAfterLoss,
      let zone = try? CloudReading(database, root: root).zone(key.zoneName)
    else { return nil }
    var needed: Set<String> = []
    for (name, sighting) in zone.sightings {
      guard case .saved(let version) = sighting else { continue }
      guard let fields = try? version.content.fields.decoded(),
        let object = try? StoredObject(fields, of: name, updatedAt: version.modified.at)
      else { return nil }
      needed.insert(object.content.hash)
    }
    return needed
  }
}
