import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `indexes for queries` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }
  private let zone = CloudSamples.zone("one")
  private let known: RecordCondition = .compare(.field("number"), .equal, .integer(7))

  private func fields(_ number: Int64) -> EncodedFields {
    var fields = Fields()
    fields["number"] = .int64(number)
    return EncodedFields(fields)
  }

  /// A zone that is large enough for indexes.
  private func filled() throws -> CloudFiles {
    let store = try CloudFiles(root: root)
    var change = CloudSamples.change(of: "one", names: (0..<1_200).map { Name("r\($0)") }, sequence: 1_200)
    change.header.recordCount = 1_200
    for place in change.records.indices {
      change.records[place].fields = fields(Int64(place))
    }
    store.stage(change, in: zone)
    #expect(store.commit() == [])
    return store
  }

  private func names(of store: CloudFiles) throws -> [String] {
    let file = try #require(try store.file(of: zone))
    return try Statement("SELECT name FROM sqlite_schema WHERE name LIKE 'query %' ORDER BY name", on: file.connection)
      .all { $0.text(0) }
  }

  @Test func `are made over fields, and used by filters, orders and counts`() throws {
    let store = try filled()
    #expect(try store.matches(RecordQuery("Note", where: known, isCounted: true), in: zone).count == 1)
    #expect(try names(of: store) == ["query Note number+"])
    let order = RecordQuery.Order(.field("number"), isDescending: true)
    let page = try store.matches(RecordQuery("Note", order: [order], limit: 2), in: zone).page
    #expect(page.changes.map(\.recordName) == ["r1199", "r1198"])
    #expect(try names(of: store) == ["query Note number+", "query Note number-"])
  }

  @Test func `follow changes of a file that was opened again`() throws {
    do {
      let store = try filled()
      _ = try store.matches(RecordQuery("Note", where: known), in: zone)
    }
    let store = try CloudFiles(root: root)
    var change = CloudSamples.change(of: "one", names: ["r9"], sequence: 1_201, databaseSequence: 2)
    change.header.recordCount = 1_200
    change.records[0].fields = fields(7)
    store.stage(change, in: zone)
    #expect(store.commit() == [])
    #expect(
      try store.matches(RecordQuery("Note", where: known), in: zone).page.changes.map(\.recordName) == ["r7", "r9"])
  }
}
