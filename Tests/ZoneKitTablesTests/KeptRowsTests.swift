import Testing
import ZoneKitRecords

@testable import ZoneKitTables

@Suite struct `kept rows` {
  private let table = Samples.table

  /// The text of a record's row, and whether it was copied from a row that was kept.
  private func text(
    _ name: String, at milliseconds: Int64 = 7, by device: String = "d", of owner: UUID = Samples.account,
    _ selection: RowSelection = .all, omitsNulls: Bool = false, keeping kept: inout KeptRows
  ) throws -> (text: String, isCopied: Bool) {
    let fields = Samples.row(["name": .text(name)]).fields(of: table, applied: AppliedChanges()).utf8
    // The record is not at the beginning of its block.
    let bytes = [0x20] + fields
    let record = RowRecord(
      fields: 1..<bytes.count, updatedAt: WallTime(milliseconds: milliseconds), deviceID: device)
    let isCopied = kept.text(of: record, in: bytes.span, of: table.name, owner: owner) != nil
    var output = Array("[".utf8)
    let writer = RowText(selection, of: table, omitsNulls: omitsNulls)
    try writer.append(record, in: bytes, owner: owner, to: &output, keeping: &kept)
    return (String(decoding: output, as: UTF8.self), isCopied)
  }

  @Test func `are copied when the same version is answered again`() throws {
    var kept = KeptRows()
    let first = try text("a", keeping: &kept)
    let second = try text("a", keeping: &kept)
    #expect(!first.isCopied && second.isCopied)
    #expect(second.text == first.text)
    #expect(first.text.hasPrefix(#"[{"id":"#) && first.text.contains(#""name":"a""#))
  }

  @Test func `are not taken for another version, author, account or content`() throws {
    var kept = KeptRows()
    _ = try text("a", keeping: &kept)
    #expect(try !text("a", at: 8, keeping: &kept).isCopied)
    #expect(try !text("b", keeping: &kept).isCopied)
    #expect(try text("b", keeping: &kept).text.contains(#""name":"b""#))
    #expect(try !text("b", by: "e", keeping: &kept).isCopied)
    #expect(try !text("b", by: "e", of: UUID(high: 5, low: 5), keeping: &kept).isCopied)
  }

  @Test func `are those with all columns`() throws {
    var kept = KeptRows()
    _ = try text("a", .columns([RowSelection.Column("name")]), keeping: &kept)
    _ = try text("a", omitsNulls: true, keeping: &kept)
    #expect(try !text("a", keeping: &kept).isCopied)
    #expect(try text("a", .columns([RowSelection.Column("name")]), keeping: &kept).text == #"[{"name":"a"}"#)
    #expect(try text("a", omitsNulls: true, keeping: &kept).text != text("a", keeping: &kept).text)
  }
}
