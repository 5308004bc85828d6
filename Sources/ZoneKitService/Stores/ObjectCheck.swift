import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableServer
import ZoneKitTables

/// Verifies the objects of all accounts of a cloud: the bytes of each are in a file of the right size and hash.
enum ObjectCheck {
  /// The faults of the cloud in that folder. The check of their zone reports records that cannot be read.
  static func faults(in root: String) -> [FileFault] {
    var found: [FileFault] = []
    do throws(StoreError) {
      for database in try CloudFiles.readOnly(root: root).databases() {
        found += try faults(of: database, root: root)
      }
    } catch {
      found.append(FileFault(error))
    }
    return found
  }

  private static func faults(of database: DatabaseID, root: String) throws(StoreError) -> [FileFault] {
    let files = AssetFiles(root: root)
    var faulty: [(name: Name, object: StoredObject, fault: FileFault)] = []
    for (name, object) in try objects(of: database, root: root) {
      if let fault = try fault(of: object, in: files, database) { faulty.append((name, object, fault)) }
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

  private static func fault(
    of object: StoredObject, in files: AssetFiles, _ database: DatabaseID
  ) throws(StoreError) -> FileFault? {
    let content = object.content
    let place = files.path(content.hash, in: database)
    let name = "object \(object.bucket)/\(object.path)"
    guard let bytes = try files.read(content.hash, in: database) else {
      return FileFault("the file of \(name) is missing", at: place)
    }
    guard bytes.count == content.size else {
      return FileFault("the file of \(name) has \(bytes.count) bytes instead of \(content.size)", at: place)
    }
    let isRight = Hexadecimal.text(SHA256.hash(bytes)) == content.hash
    return isRight ? nil : FileFault("the bytes of \(name) have another hash than their name says", at: place)
  }
}
