import Testing
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

struct ChannelChangeWriterTests {
  private static let table = Table(
    "reminders", key: ["id"], ownership: .account(column: "owner_id"), quiet: 300,
    columns: [Column("id", .uuid), Column("amount", .float8), Column("message", .text)])
  private static let key = UUID(high: 1, low: 2)
  private static let stamp = WallTime(milliseconds: 1_777_878_489_120)

  private func row(_ amount: Double, _ message: String = "rent") -> Row {
    Row([.uuid(Self.key), .float8(amount), .text(message)])
  }

  private func text(
    from old: Row?, to new: Row?, columns: [Name]? = nil, ids: [Int64] = [17], _ version: ChannelVersion = .first
  ) -> String {
    let change = RowChange(table: "reminders", key: RowKey([Self.key]), old: old, new: new, stamp: Self.stamp)
    var writer = ChannelChangeWriter(change, of: Self.table)
    let delivery = ChannelDelivery(socket: SocketID(1), topic: "realtime:x", ids: ids, columns: columns)
    return String(decoding: writer.text(for: delivery, version).bytes, as: UTF8.self)
  }

  private let begin = #"{"topic":"realtime:x","event":"postgres_changes","payload":{"ids":[17],"data":"#
  private let data = #"{"schema":"public","table":"reminders","type":"#
  private let columns =
    #","columns":[{"name":"id","type":"uuid"},{"name":"amount","type":"float8"},{"name":"message","type":"text"}]"#
  private let time = #","commit_timestamp":"2026-05-04T07:08:09.120Z","errors":null"#
  private let id = #"{"id":"00000000-0000-0001-0000-000000000002""#

  @Test func `an insert has the record and no old one`() {
    #expect(
      text(from: nil, to: row(20))
        == begin + data + #""INSERT""# + time + columns + #","record":"# + id + #","amount":20,"message":"rent"}"#
        + #"}},"ref":null}"#)
  }

  @Test func `an update has the whole record and the key of the old one`() {
    #expect(
      text(from: row(20), to: row(21.5))
        == begin + data + #""UPDATE""# + time + columns + #","record":"# + id + #","amount":21.5,"message":"rent"}"#
        + #","old_record":"# + id + #"}}},"ref":null}"#)
  }

  @Test func `a removal has the key of the old record and no record`() {
    #expect(
      text(from: row(20), to: nil)
        == begin + data + #""DELETE""# + time + columns + #","old_record":"# + id + #"}}},"ref":null}"#)
  }

  @Test func `the second version is an array, and several numbers are listed`() {
    let text = text(from: nil, to: row(20), ids: [17, 20], .second)
    #expect(text.hasPrefix(#"[null,null,"realtime:x","postgres_changes",{"ids":[17,20],"data":{"schema""#))
    #expect(text.hasSuffix(#""message":"rent"}}}]"#))
  }

  @Test func `only the columns that were asked for are sent`() {
    let text = text(from: nil, to: row(20), columns: ["id", "amount"])
    #expect(text.contains(#""columns":[{"name":"id","type":"uuid"},{"name":"amount","type":"float8"}]"#))
    #expect(text.hasSuffix(#""record":"# + id + #","amount":20}}},"ref":null}"#))
  }

  @Test func `of a row above the limit only small values are sent, with an error`() {
    let text = text(from: nil, to: row(20, String(repeating: "x", count: 1 << 20)))
    #expect(text.contains(#""errors":["Error 413: Payload Too Large"]"#))
    #expect(text.hasSuffix(#""record":"# + id + #","amount":20}}},"ref":null}"#))
    #expect(self.text(from: nil, to: row(20, String(repeating: "x", count: 1_000))).contains(#""errors":null"#))
  }

  @Test func `channels with other columns get their own text from one writer`() {
    let change = RowChange(
      table: "reminders", key: RowKey([Self.key]), old: nil, new: row(20), stamp: Self.stamp)
    var writer = ChannelChangeWriter(change, of: Self.table)
    func text(_ columns: [Name]?) -> String {
      let delivery = ChannelDelivery(socket: SocketID(1), topic: "t", ids: [1], columns: columns)
      return String(decoding: writer.text(for: delivery, .first).bytes, as: UTF8.self)
    }
    #expect(text(nil).contains(#""message":"rent""#))
    #expect(!text(["id"]).contains("rent"))
    #expect(text(nil).contains(#""message":"rent""#))
  }
}
