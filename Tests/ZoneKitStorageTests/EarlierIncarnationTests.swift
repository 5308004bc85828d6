import Testing
import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

@Suite struct `the earlier incarnations of a zone` {
  @Test func `are in its file, in their order`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "notes.zone"
    var header = ZoneHeader(
      zoneName: "notes", incarnation: 9, sequence: 12, databaseSequence: 4, at: WallTime(milliseconds: 1_000))
    header.earlier = EndedIncarnation.End.allCases.enumerated().map { index, end in
      EndedIncarnation(
        incarnation: .max - UInt64(index), purges: Int64(index), end: end, at: WallTime(milliseconds: 7),
        sequence: Int64(index) * 3)
    }
    let file = try ZoneFile(path, of: nil, access: .create, durability: .full, checkpointPages: 1000)
    try file.write(ZoneTransition(header: header))
    try file.commit()
    #expect(try ZoneFile(path, of: nil, access: .observe, durability: .full, checkpointPages: 1000).header() == header)
  }
}
