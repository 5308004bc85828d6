import Testing
import ZoneKitRecords
import ZoneKitTables

@Suite struct `a row and its record` {
  private let table = Samples.table

  /// The row that is read from the record of a row.
  private func read(_ row: Row, applied: AppliedChanges = AppliedChanges()) throws -> (Row, AppliedChanges) {
    let changedBy = row[.changedBy, table].text
    let result = try Row.read(
      fields: row.fields(of: table, applied: applied),
      updatedAt: row[.updatedAt, table].time ?? WallTime(milliseconds: 0),
      deviceID: AppliedChanges.deviceID(of: changedBy), of: table, owner: Samples.account)
    return (result.row, result.applied)
  }

  @Test func `hold the same values`() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      var row = Samples.row(using: &generator)
      if row[.updatedAt, table] == .null { row[.updatedAt, table] = Samples.time(0) }
      let (found, _) = try read(row)
      #expect(found == row)
    }
  }

  @Test func `have the canonical text of the fields`() throws {
    var generator = SplitMix64(seed: 4)
    for number in 0..<500 {
      let row = Samples.row(using: &generator)
      var applied = AppliedChanges()
      if number % 2 == 0 { applied.add(RowRevision(deviceID: "d\"\(number)", revision: 4), hash: 5) }
      var fields = row.fields(of: table)
      if !applied.isEmpty { fields["zkApplied"] = .string(applied.text) }
      #expect(row.fields(of: table, applied: applied) == EncodedFields(fields))
    }
  }

  @Test func `are read whether a field begins in the usual form or not`() throws {
    let row = Samples.row([.ownerID: .uuid(Samples.account), "name": .text("a"), .updatedAt: Samples.time(0)])
    let unusual = Array(
      #"{"nam":{"type":"STRING","value":"b"},"name":{"isEncrypted":true,"type":"STRING","value":"a"}}"#.utf8)
    let found = try Row.read(
      fields: EncodedFields(canonical: unusual), updatedAt: WallTime(milliseconds: 0), deviceID: Author.unnamedDevice,
      of: table, owner: Samples.account)
    #expect(found.row == row)
  }

  @Test func `have the fields of the columns, references among them`() throws {
    let row = Samples.row([
      .id: .uuid(Samples.id(1)), .ownerID: .uuid(Samples.account), "name": .text("a"),
      "parent_id": .uuid(Samples.id(2)),
      "other": .uuid(Samples.id(3)), "is_new": .bool(true), .updatedAt: Samples.time(4), .changedBy: .text("d:1"),
    ])
    let fields = try row.fields(of: table, applied: AppliedChanges()).decoded()
    #expect(fields.sorted.map(\.name) == [.id, "is_new", "name", "other", "parent_id"])
    let parent = "parents/\(Samples.id(2).text)"
    #expect(fields["parent_id"] == .reference(Reference(recordName: Name(parent), action: .validate)))
    #expect(fields["other"] == .string(Samples.id(3).text))
    #expect(fields["is_new"] == .int64(1))
  }

  @Test(
    arguments: [nil, "d:1", "d", "unnamed", "unnamed:3", ":x", "::x:5", "a:b:7", "d:01", "d:-1", "", ":5"] as [String?])
  func `keep who changed the row`(changedBy: String?) throws {
    var row = Samples.row([.ownerID: .uuid(Samples.account), .updatedAt: Samples.time(0)])
    row[.changedBy, table] = changedBy.map { .text($0) } ?? .null
    var applied = AppliedChanges()
    for number in 0..<3 { applied.add(RowRevision(deviceID: "d", revision: Int64(number + 5)), hash: 1) }
    if let revision = changedBy.flatMap({ RowRevision($0) }) { applied.add(revision, hash: 2) }
    let (found, memory) = try read(row, applied: applied)
    #expect(found[.changedBy, table] == row[.changedBy, table])
    #expect(memory == applied)
  }

  @Test func `damaged text is an error and no trap`() {
    let text = Array(
      Samples.row(["name": .text("a\"b"), "amount": .float8(1.5), "parent_id": .uuid(Samples.id(2))])
        .fields(of: table, applied: AppliedChanges()).utf8)
    let writer = RowText(.all, of: table)
    for index in text.indices {
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"), 0x00] {
        for damaged in [Array(text[..<index]), text[..<index] + [byte] + text[(index + 1)...]] {
          let record = RowRecord(
            fields: 0..<damaged.count, updatedAt: WallTime(milliseconds: 0), deviceID: "d")
          _ = try? Row.read(record, in: damaged, of: table, owner: Samples.account)
          var output: [UInt8] = []
          try? writer.append(record, in: damaged, owner: Samples.account, to: &output)
        }
      }
    }
  }
}

@Suite struct `the memory of accepted changes` {
  @Test func `knows a repeat by device, revision and content`() {
    var applied = AppliedChanges()
    let change = RowRevision(deviceID: "d", revision: 4)
    applied.add(change, hash: 9)
    #expect(applied.has(change, hash: 9))
    #expect(!applied.has(change, hash: 8))
    #expect(!applied.has(RowRevision(deviceID: "d", revision: 5), hash: 9))
    #expect(!applied.has(RowRevision(deviceID: "e", revision: 4), hash: 9))
    #expect(AppliedChanges(applied.text) == applied)
  }

  @Test func `keeps the last revision of each of the last eight devices`() {
    var applied = AppliedChanges()
    for number in 0..<9 { applied.add(RowRevision(deviceID: "d\(number)", revision: 1), hash: 1) }
    #expect(!applied.has(RowRevision(deviceID: "d0", revision: 1), hash: 1))
    #expect(applied.has(RowRevision(deviceID: "d1", revision: 1), hash: 1))
    applied.add(RowRevision(deviceID: "d1", revision: 2), hash: 1)
    #expect(!applied.has(RowRevision(deviceID: "d1", revision: 1), hash: 1))
    #expect(applied.has(RowRevision(deviceID: "d2", revision: 1), hash: 1))
  }

  @Test(arguments: ["", "x", "d:1", "d:1 zz", " 1", "d:1 1\n\nd 2"]) func `ignores what it cannot read`(text: String) {
    _ = AppliedChanges(text).text
  }
}
