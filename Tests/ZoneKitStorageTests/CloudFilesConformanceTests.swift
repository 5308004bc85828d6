import ZoneKitCSQLite
import ZoneKitRecords
import ZoneKitStoreConformance
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `the cloud in files` {
  @Test(arguments: ZoneStoreConformance.allCases, [200, 1])
  func `does what every store must, with few open files too`(check: ZoneStoreConformance, openZones: Int) throws {
    var folders: [TemporaryFolder] = []
    func folder() throws -> TemporaryFolder {
      folders.append(try TemporaryFolder())
      return folders[folders.count - 1]
    }
    let violations = try check.violations(
      make: { try CloudFiles(root: folder() + "cloud", openZoneLimit: openZones) },
      reopen: { store in
        let target = try folder() + "cloud"
        try TemporaryFolder.copyAsCrashed(store.paths.root, to: target)
        return try CloudFiles(root: target, openZoneLimit: openZones)
      },
      failNextCommit: { store, place in try failNextCommit(of: place, &store) })
    #expect(violations == [])
  }

  /// A commit hook that answers with anything but 0 turns the commit into a rollback (SQLite: c3ref/commit_hook.html).
  private func failNextCommit(of place: CommitFailure.Place, _ store: inout CloudFiles) throws {
    let connection =
      switch place {
      case .zone(let key): try #require(try store.file(of: key)).connection
      case .database(let id): try store.databaseFile(of: id, access: .existing).connection
      }
    let handle = UnsafeMutableRawPointer(connection.handle)
    sqlite3_commit_hook(
      connection.handle,
      { handle in
        sqlite3_commit_hook(handle.map { OpaquePointer($0) }, nil, nil)
        return 1
      }, handle)
  }
}
