import Testing
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `metadata` {
  private let logs = DietLog.schema.collections[0]

  private func fields(_ data: String, before: Fields? = nil, at second: Int64 = 5) throws -> Fields {
    let change = DocumentChange(
      .update, DocumentName("foodLogs", "l"), at: WallTime(milliseconds: second * 1_000),
      data: DocumentData(try JSON(exactly: data)))
    return try DocumentReader(logs, of: DietLog.schema).fields(after: change, before: before, of: "nanny")
  }

  private func log(
    _ more: String = "", item: String = "",
    times: String = #","createdAt":"1970-01-01T00:00:01Z","updatedAt":"1970-01-01T00:00:02Z""#
  ) -> String {
    #"{"loggedDate":"2026-11-21","loggedAt":"2026-11-21T12:00:00Z","mealType":"lunch","items":[{"_id":"a","name":"Oats","quantityMilli":1,"unit":"g"\#(times)\#(item)}]\#(more)}"#
  }

  private let members =
    #","version":9,"tag":"x","deviceId":"Q","committedAt":null,"lastSyncedAt":"2026-01-01T00:00:00Z","totals":1"#

  @Test func `in a document or an item is no content`() throws {
    let plain = EncodedFields(try fields(log())).utf8
    #expect(
      EncodedFields(try fields(log(members + #","updatedAt":"never","deletedAt":7"#, item: members))).utf8 == plain)
    #expect(try fields(log(#","colour":1"#))[.extra] == .string(#"{"colour":1}"#))
  }

  @Test func `that was kept as content before goes with the next change`() throws {
    var before = try fields(log())
    before[.extra] = .string(#"{"colour":1,"lastSyncedAt":"x"}"#)
    #expect(try fields(log(), before: before)[.extra] == .string(#"{"colour":1}"#))
  }

  @Test func `of an item stays if the item is sent without it`() throws {
    let before = try fields(log(), at: 3)
    let same = try #require(try fields(log(times: ""), before: before, at: 9).items(in: "items")?.first)
    #expect(same == before.items(in: "items")?.first)
    let changed = try fields(log(item: #","energyKcal":5"#, times: ""), before: before, at: 9)
    let item = try #require(changed.items(in: "items")?.first)
    #expect(item.updatedAt == 9_000)
    #expect(item.json["createdAt"] == 1_000)
  }

  @Test func `has times of any year, which count as the first or last of a document`() throws {
    for (time, seconds) in [
      ("0001-01-01T00:00:00Z", 0), ("-271821-04-20T00:00:00.000Z", 0), ("4001-01-01T00:00:00Z", 5),
    ] {
      let item = try fields(log(times: #","createdAt":"1970-01-01T00:00:01Z","updatedAt":"\#(time)""#)).items(
        in: "items")?.first
      #expect(item?.updatedAt == Int64(seconds) * 1_000)
    }
  }

  @Test(
    arguments: [
      ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("0000-02-29T00:00:00Z", -62_135_596_800_000),
      ("-000001-01-01T00:00:00Z", -62_135_596_800_000), ("+002026-01-01T00:00:00Z", 1_767_225_600_000),
      ("+275760-09-13T00:00:00.000Z", 253_402_300_799_999), ("2026-01-01T00:00:00+02:00", 1_767_218_400_000),
    ] as [(String, Int64)])
  func `has a time of any year`(text: String, milliseconds: Int64) {
    #expect(WallTime(anyTime: text) == WallTime(milliseconds: milliseconds))
  }

  @Test(arguments: [
    "", "2026-01-01", "2025-02-29T00:00:00Z", "yesterday at noon", "+00202a-01-01T00:00:00Z", "-1-01-01T00:00:00Z",
    "2026-01-01T00:00:00",
  ])
  func `has no other time`(text: String) { #expect(WallTime(anyTime: text) == nil) }

  @Test func `leaves numbers and strings that nobody knows as they are`() throws {
    let text = #"{"future":{"a":[0.10,1E5,"\u00e9"],"z":12345678901234567890}}"#
    let fields = try fields(log("," + text.dropFirst().dropLast(), item: "," + text.dropFirst().dropLast()))
    #expect(fields[.extra] == .string(text))
    #expect(fields.items(in: "items")?.first?.json["extra"]?.string == text)
    let sent = try #require(DocumentWriter(logs, of: DietLog.schema).data(of: fields)?.json.text())
    #expect(sent.components(of: String(text.dropFirst().dropLast())) == 2)
  }
}

extension String {
  /// How often a text is in this one.
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
