import Testing
import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

@Suite struct `reads of zones that take long` {
  private let folder: TemporaryFolder
  private let zone = CloudSamples.zone("one")
  private static let count: Int64 = 3_000

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }

  /// What the zone holds, by name.
  private typealias Content = [Name: StoredRecord]

  private static func record(_ number: Int64, _ value: Int64, sequence: Int64, isDeleted: Bool = false) -> StoredRecord
  {
    var fields = Fields()
    fields["number"] = .int64(value)
    fields["text"] = .string("text \(value)")
    let stamp = Authorship(
      at: WallTime(milliseconds: sequence), author: Author(userRecordName: "_user", deviceID: "d"))
    var record = StoredRecord(
      recordName: Name("r\(number)"), recordType: "Note", fields: EncodedFields(isDeleted ? Fields() : fields),
      sequence: sequence, created: stamp, modified: stamp, parent: nil, references: [])
    record.isDeleted = isDeleted
    return record
  }

  private func stage(_ records: [StoredRecord], in store: CloudFiles, _ content: inout Content) {
    for record in records { content[record.recordName] = record }
    var header = ZoneHeader(
      zoneName: zone.zoneName, incarnation: 7, sequence: records.map(\.sequence).max() ?? 0, databaseSequence: 1,
      at: WallTime(milliseconds: 9))
    header.recordCount = content.values.count { !$0.isDeleted }
    header.tombstoneCount = content.count - header.recordCount
    store.stage(ZoneTransition(header: header, records: records), in: zone)
  }

  private func filled(_ content: inout Content) throws -> CloudFiles {
    let store = try CloudFiles(root: root)
    stage((1...Self.count).map { Self.record($0, $0 % 97, sequence: $0) }, in: store, &content)
    #expect(store.commit() == [])
    return store
  }

  /// A query that no index answers.
  private let scanning = RecordQuery(
    "Note", where: .contains(.field("text"), ["XT 9"]),
    order: [RecordQuery.Order(.field("number"), isDescending: true)],
    limit: 50, isCounted: true)

  private func kind(of read: () throws -> RecordMatches) -> StoreError.Kind? {
    do {
      _ = try read()
      return nil
    } catch {
      return (error as? StoreError)?.kind
    }
  }

  @Test func `end at the limit, and keep what is staged`() throws {
    var content: Content = [:]
    let store = try filled(&content)
    stage([Self.record(5, 1_000, sequence: Self.count + 1)], in: store, &content)
    store.limitReads(milliseconds: 0)
    #expect(kind { try store.matches(scanning, in: zone) } == .interrupted)
    store.limitReads(milliseconds: nil)
    #expect(try store.matches(scanning, in: zone).count == scanning.matches(among: content.values).count)
    #expect(store.commit() == [])
    #expect(try store.record("r5", in: zone)?.sequence == Self.count + 1)
  }

  @Test func `end at the limit, but not the making of an index`() throws {
    var content: Content = [:]
    let store = try filled(&content)
    let indexed = RecordQuery("Note", where: .compare(.field("number"), .equal, .integer(7)))
    store.limitReads(milliseconds: 0)
    _ = kind { try store.matches(indexed, in: zone) }
    store.limitReads(milliseconds: nil)
    let file = try #require(try store.file(of: zone))
    let names = try Statement("SELECT name FROM sqlite_schema WHERE name LIKE 'query %'", on: file.connection)
      .all { $0.text(0) }
    #expect(names == ["query Note number+"])
  }

  @Test func `have the state of one moment in a snapshot, whatever is committed between them`() throws {
    var content: Content = [:]
    let store = try filled(&content)
    var numbers = SplitMix64(seed: 11)
    var sequence = Self.count
    for round in 0..<12 {
      let before = content
      let snapshot = store.snapshots.snapshots(until: Cancellation())
      defer { snapshot.close() }
      let header = try #require(try snapshot.zone(zone))
      for _ in 0..<4 {
        let changed = (0..<40).map { _ in
          sequence += 1
          return Self.record(
            Int64.random(in: 1...Self.count + 50, using: &numbers), Int64.random(in: 0..<97, using: &numbers),
            sequence: sequence, isDeleted: Int.random(in: 0..<4, using: &numbers) == 0)
        }
        // A zone's change has each record once.
        let last = Dictionary(changed.map { ($0.recordName, $0) }) { $1 }
        stage(last.values.sorted { $0.sequence < $1.sequence }, in: store, &content)
        #expect(store.commit() == [])
        let found = try snapshot.matches(scanning, in: zone)
        let wanted = try scanning.matches(among: before.values)
        #expect(found.count == wanted.count && found.page.changes == wanted.page.changes, "round \(round)")
        let name = try #require(last.keys.min())
        #expect(try snapshot.record(name, in: zone) == before[name])
        #expect(try snapshot.zone(zone) == header)
      }
      #expect(try store.matches(scanning, in: zone).count == scanning.matches(among: content.values).count)
      #expect(snapshot.commit() == [])
    }
  }

  @Test func `end when nobody waits any more`() throws {
    var content: Content = [:]
    let store = try filled(&content)
    let cancellation = Cancellation()
    let snapshot = store.snapshots.snapshots(until: cancellation)
    #expect(try snapshot.matches(scanning, in: zone).count ?? 0 > 0)
    cancellation.cancel()
    #expect(kind { try snapshot.matches(scanning, in: zone) } == .interrupted)
    snapshot.close()
  }

  @Test func `make no file for a zone that never existed, and leave no WAL behind`() throws {
    var content: Content = [:]
    let store = try filled(&content)
    let other = store.snapshots.snapshots(until: Cancellation())
    #expect(try other.zone(CloudSamples.zone("none")) == nil)
    #expect(try other.matches(scanning, in: CloudSamples.zone("none")) == RecordMatches(count: 0))
    do {
      let snapshot = store.snapshots.snapshots(until: Cancellation())
      _ = try snapshot.zone(zone)
      snapshot.close()
    }
    store.close()
    #expect(
      try Folder.names(in: root + "/" + CloudSamples.zonesFolder).sorted() == [CloudPaths.fileName(of: zone.zoneName)])
  }
}
