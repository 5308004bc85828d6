import Testing
import ZoneKitRecords
import ZoneKitTables

@Suite struct `a row as JSON` {
  private let table = Samples.table

  /// The text that is copied from the row's record.
  private func copied(
    _ row: Row, _ writer: RowText, applied: AppliedChanges = AppliedChanges()
  ) throws -> String {
    let fields = row.fields(of: table, applied: applied)
    let record = RowRecord(
      fields: 0..<fields.utf8.count, updatedAt: row[.updatedAt, table].time ?? WallTime(milliseconds: 0),
      deviceID: AppliedChanges.deviceID(of: row[.changedBy, table].text))
    var bytes: [UInt8] = []
    try writer.append(record, in: fields.utf8, owner: Samples.account, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `lists all columns in their order, with the forms of PostgREST`() {
    let row = Samples.row([
      .id: .uuid(Samples.id(1)), .ownerID: .uuid(Samples.account), "name": .text("a\"b"), "amount": .float8(20),
      "count": .int4(-3), "is_new": .bool(false), "at": Samples.time(1_777_878_489_120),
    ])
    #expect(
      RowText(.all, of: table).text(of: row)
        == #"{"id":"00000000-0000-a000-0000-000000000001","owner_id":"00000000-0000-0001-0000-000000000002","#
        + #""name":"a\"b","amount":20,"count":-3,"is_new":false,"at":"2026-05-04T07:08:09.120+00:00","#
        + #""parent_id":null,"other":null,"created_at":null,"updated_at":null,"deleted_at":null,"edited_at":null,"#
        + #""changed_by":null}"#)
  }

  @Test(arguments: ["d:7", "d", "d\"e:7", "ä:12", "e:3", nil] as [String?])
  func `names the author of the version, not those who changed the row after or before it`(changedBy: String?) throws {
    var row = Samples.row([.ownerID: .uuid(Samples.account), .updatedAt: Samples.time(0)])
    row[.changedBy, table] = changedBy.map { .text($0) } ?? .null
    let writer = RowText(.columns([RowSelection.Column(.changedBy)]), of: table)
    for others in [["e:9"], ["d:1", "e:9"], []] {
      for isNewest in [true, false] {
        var applied = AppliedChanges()
        let own = changedBy.flatMap { RowRevision($0) }
        if !isNewest, let own { applied.add(own, hash: 1) }
        for other in others {
          if let other = RowRevision(other), other.deviceID != own?.deviceID { applied.add(other, hash: 2) }
        }
        if isNewest, let own { applied.add(own, hash: 1) }
        #expect(try copied(row, writer, applied: applied) == writer.text(of: row))
      }
    }
  }

  @Test func `is the same whether it is copied from the record or written from values`() throws {
    var generator = SplitMix64(seed: 5)
    let selections: [RowSelection] = [
      .all, .columns([]),
      .columns([
        RowSelection.Column("amount", alias: "how much", isText: true), RowSelection.Column("name"),
        RowSelection.Column(.ownerID), RowSelection.Column("is_new", isText: true),
        RowSelection.Column("name", alias: "n"),
      ]),
    ]
    for _ in 0..<500 {
      var row = Samples.row(using: &generator)
      if row[.updatedAt, table] == .null { row[.updatedAt, table] = Samples.time(0) }
      for selection in selections {
        for omitsNulls in [false, true] {
          let writer = RowText(selection, of: table, omitsNulls: omitsNulls)
          let text = writer.text(of: row)
          #expect(try copied(row, writer) == text)
          _ = try JSON(parsing: text)
        }
      }
    }
  }

  @Test(arguments: [1, 10, 500])
  func `of columns that are answered several times grows as its selection says`(count: Int) {
    let row = Samples.row([.id: .uuid(Samples.id(1))])
    let whole = RowText(.all, of: table).text(of: row).utf8.count
    for alias in ["a", String(repeating: "long", count: 9)] {
      let columns = (1...count).map { RowSelection.Column(.id, alias: "\(alias)\($0)") }
      let selection = RowSelection.columns(columns)
      let text = RowText(selection, of: table).text(of: row)
      #expect(selection.growth(of: table) >= count && text.utf8.count <= selection.growth(of: table) * whole)
    }
    #expect(RowSelection.all.growth(of: table) == 1)
  }
}
