import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

struct ConflictCommandTests {
  private static let time = WallTime(milliseconds: 1_795_248_000_000)

  private func entry(
    _ id: String, of document: DietDocument, _ winner: ConflictEntry.Winner, local: Fields?, server: Fields?
  ) -> ConflictEntry {
    ConflictEntry(
      id: id, recordID: document.id, recordType: document.name.collection, at: Self.time, winner: winner,
      rule: "updatedAt", local: local.map { RecordContent(fields: EncodedFields($0)) },
      server: server.map { RecordContent(fields: EncodedFields($0)) }, serverDeviceID: nil, decidedBy: "server")
  }

  @Test func `there are no decisions at first`() throws {
    var device = try DietDevice()
    #expect(try device.run("conflicts") == ["no conflict was decided yet"])
    #expect(try device.json("conflicts") == ["conflicts": []])
  }

  @Test func `a decision shows what differs, who won and who decided`() throws {
    var device = try DietDevice()
    try device.run("weigh 70 on 2026-11-20")
    let weight = try device.document("weightLogs")
    var (local, server) = (weight.fields, weight.fields)
    local["weightG"] = .int64(71_000)
    server["deleted"] = .int64(1)
    try device.note([entry("1", of: weight, .server, local: local, server: server)])
    let stamp = "2026-11-21T08:00:01.000Z"
    #expect(
      try device.run("conflicts") == [
        "2026-11-21 08:00  weight \(weight.shortID): server wins (updatedAt), decided by server",
        "  local: edited \(stamp), weight 71", "  server: deleted \(stamp), weight 70",
      ])
    let json = try device.json("conflicts")["conflicts"]?.array?.first
    #expect(json?["record"] == .string("weightLogs.\(weight.name.id)") && json?["decidedBy"] == "server")
    #expect(json?["local"]?["weightG"] == 71_000 && json?["local"]?["deletedAt"] == nil)
    #expect(json?["server"]?["weightG"] == 70_000 && json?["server"]?["deletedAt"] == .string(stamp))
  }

  @Test func `of a log only the items are shown that differ`() throws {
    var device = try DietDevice()
    try device.run("log lunch")
    try device.run("add last Oats 60 g")
    try device.run("add last Milk 200 ml")
    let before = try device.document("foodLogs")
    try device.run("change last Milk kcal 130")
    let after = try device.document("foodLogs")
    try device.note([entry("1", of: after, .merged, local: after.fields, server: before.fields)])
    let lines = try device.run("conflicts")
    #expect(lines[0].hasSuffix("both are merged (updatedAt), decided by server"))
    #expect(lines.count { $0.contains("Milk") } == 2 && !lines.contains { $0.contains("Oats") })
    #expect(lines[2].hasSuffix("Milk 200 ml, kcal 130"))
  }

  @Test func `a version that is gone, and one that is no document, have different words`() throws {
    var device = try DietDevice()
    try device.run("weigh 70")
    let weight = try device.document("weightLogs")
    try device.note([entry("1", of: weight, .none, local: Fields(), server: nil)])
    #expect(try device.run("conflicts").suffix(2) == ["  local: no document", "  server: removed for good"])
    let json = try device.json("conflicts")["conflicts"]?.array?.first
    #expect(json?["local"] == .null && json?["server"] == .null && json?["winner"] == "none")
  }

  @Test func `the newest decisions come first, and their number can be limited`() throws {
    var device = try DietDevice()
    try device.run("weigh 70")
    let weight = try device.document("weightLogs")
    try device.note(
      (1...7).map { number in
        var fields = weight.fields
        fields["weightG"] = .int64(Int64(number) * 10_000)
        return entry("\(number)", of: weight, .local, local: fields, server: weight.fields)
      })
    func weights(_ command: String) throws -> [Int64] {
      try device.json(command)["conflicts"]?.array?.compactMap { $0["local"]?["weightG"]?.integer } ?? []
    }
    #expect(try weights("conflicts") == [70_000, 60_000, 50_000, 40_000, 30_000])
    #expect(try weights("conflicts 2") == [70_000, 60_000])
    #expect(try device.refusal(of: "conflicts none") == "\"none\" is no count; expected a whole number above 0")
  }
}
