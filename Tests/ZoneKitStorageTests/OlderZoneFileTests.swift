import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `a zone file of the first version` {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder + "old.zone"
    let first = FileFormat(
      name: FileFormat.zone.name, applicationID: FileFormat.zone.applicationID,
      migrations: [FileFormat.zone.migrations[0]])
    let connection = try Connection(path, as: first, access: .create)
    try connection.execute("INSERT INTO zone VALUES(1, 'old', 7, 5, 3, 1, 2, 1, 1000)")
  }

  private var header: ZoneHeader {
    var header = ZoneHeader(
      zoneName: "old", incarnation: 7, sequence: 5, databaseSequence: 3, at: WallTime(milliseconds: 1000))
    header.deletion = .deleted
    header.recordCount = 2
    header.tombstoneCount = 1
    return header
  }

  private func open(_ access: Access) throws -> ZoneFile {
    try ZoneFile(path, access: access, durability: .full, checkpointPages: 1000)
  }

  @Test func `is read as it is by an observer`() throws {
    let file = try open(.observe)
    #expect(try file.header() == header)
    #expect(file.connection.version == 1)
  }

  @Test func `is brought up to date by its owner`() throws {
    let file = try open(.existing)
    #expect(try file.header() == header)
    #expect(file.connection.version == 2)
    var purged = header
    purged.deletion = .purged
    purged.purges = 2
    purged.horizon = 4
    try file.write(ZoneTransition(header: purged, purgedThrough: 4))
    try file.commit()
    #expect(try open(.observe).header() == purged)
  }
}
