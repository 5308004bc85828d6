import ZoneKitRecords
import ZoneKitCloud

/// A copy of a cloud that is going to replace it.
package enum RestoredCloud {
  /// A zone of the copy that lacks changes.
  package struct Zone: Hashable, Sendable {
    /// The zone.
    package let zone: ZoneKey
    /// Its sequence in the copy.
    package let sequence: Int64
    /// The sequence that it had come to.
    package let knownSequence: Int64
  }

  /// Gives each zone of a copy that lacks changes of the present cloud a new incarnation, so that nothing that clients know
  /// of them is taken for a position in the copy. Returns these zones. Nothing else has the cloud or the copy open.
  package static func prepare(_ copy: String, toReplace root: String) throws(StoreError) -> [Zone] {
    guard Folder.exists(root) else { return [] }
    var behind: [Zone] = []
    let known = ZoneMarks(observing: root)
    defer { known.close() }
    let paths = CloudPaths(root: copy)
    let marks = ZoneMarks(root: copy)
    do throws(StoreError) {
      for id in try paths.databases() {
        let now = present(id, in: CloudPaths(root: root), known)
        let highest = now.values.reduce(0) { max($0, $1.databaseSequence) }
        var lost: [(folder: String, zone: Name, mark: ZoneMark)] = []
        for header in headers(of: id, in: paths) {
          guard var mark = now[header.zoneName], !mark.isReached(by: header) else { continue }
          // The feed of the database lists the zone after everything that it ever listed.
          mark.databaseSequence = highest
          lost.append((paths.relativeFolder(of: id), header.zoneName, mark))
          behind.append(
            Zone(
              zone: ZoneKey(database: id, zoneName: header.zoneName), sequence: header.sequence,
              knownSequence: mark.sequence))
        }
        if !lost.isEmpty { try marks.write(lost) }
      }
      marks.close()
    } catch {
      marks.close()
      throw error
    }
    // A store renews each zone that is behind its mark when it reads it.
    let store = try CloudFiles(root: copy, checkpointsOnThread: false)
    defer { store.close() }
    for id in Set(behind.map(\.zone.database)).sorted() { _ = try store.zones(in: id) }
    return behind
  }

  /// How far the zones of a database have come in the present cloud. What cannot be read of it is left out: a damaged
  /// cloud is a reason for a restore.
  private static func present(_ id: DatabaseID, in paths: CloudPaths, _ marks: ZoneMarks) -> [Name: ZoneMark] {
    var now = (try? marks.marks(in: paths.relativeFolder(of: id))) ?? [:]
    for header in headers(of: id, in: paths) {
      if let mark = now[header.zoneName], !mark.isReached(by: header) { continue }
      now[header.zoneName] = ZoneMark(header)
    }
    return now
  }

  private static func headers(of id: DatabaseID, in paths: CloudPaths) -> [ZoneHeader] {
    let folder = paths.zonesFolder(of: id)
    let names = (try? paths.zoneFiles(of: id)) ?? []
    return names.compactMap { name in
      guard Folder.size(of: folder + "/" + name) > 0 else { return nil }
      let file = try? ZoneFile(
        folder + "/" + name, of: id, access: .observe, durability: .full, checkpointPages: 0)
      return (try? file?.header()) ?? nil
    }
  }
}
