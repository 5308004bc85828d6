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
    try OldZoneFile.make("old", at: path, deletion: 1, tombstones: 1)
  }

  private var header: ZoneHeader {
    var header = ZoneHeader(
      zoneName: "old", incarnation: 7, sequence: 5, databaseSequence: 3, at: WallTime(milliseconds: 1000))
    header.deletion = .deleted
    header.recordCount = 2
    header.tombstoneCount = 1
    header.earlier = nil
    return header
  }

  private let references = [
    StoredReference(source: "child", field: "first", target: "parent", action: .deleteSelf),
    StoredReference(source: "child", field: "second", target: "parent", action: .validate),
  ]

  private func open(_ access: Access) throws -> ZoneFile {
    try ZoneFile(path, of: nil, access: access, durability: .full, checkpointPages: 1000)
  }

  @Test func `is read as it is by an observer`() throws {
    let file = try open(.observe)
    #expect(try file.header() == header)
    #expect(file.connection.version == 1)
  }

  @Test(arguments: [Access.observe, .existing])
  func `has the same references for an observer and for its owner`(_ access: Access) throws {
    let file = try open(access)
    #expect(try file.record("child")?.references == references)
    #expect(try file.references(to: "parent") == references)
    #expect(try file.record("parent")?.references == [])
  }

  @Test func `loses the references of a record that is saved again without them`() throws {
    let file = try open(.existing)
    var child = try #require(try file.record("child"))
    child.sequence = 6
    child.references = [references[1]]
    try file.write(ZoneTransition(header: header, records: [child]))
    try file.commit()
    #expect(try open(.observe).references(to: "parent") == [references[1]])
    let rows = Statement("SELECT count(*) FROM refs", on: file.connection)
    #expect(try rows.first { $0.integer(0) } == 1, "those of the earlier version are gone too")
  }

  @Test(arguments: [Access.observe, .existing])
  func `has counted one save of each record`(_ access: Access) throws {
    #expect(try open(access).record("child")?.version == 1)
  }

  @Test func `is brought up to date by its owner`() throws {
    let file = try open(.existing)
    #expect(try file.header() == header)
    #expect(file.connection.version == 10)
    var purged = header
    purged.deletion = .purged
    purged.purges = 2
    purged.horizon = 4
    try file.write(ZoneTransition(header: purged, purgedThrough: 4))
    try file.commit()
    #expect(try open(.observe).header() == purged)
  }
}
