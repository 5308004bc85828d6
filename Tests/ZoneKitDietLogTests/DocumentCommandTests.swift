import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

struct DocumentCommandTests {
  @Test func `a weight is stored in grams, and body fat in permille`() throws {
    var device = try DietDevice()
    try device.run("weigh 72.5 fat 21.5 on 2026-11-20")
    let weight = try device.document("weightLogs")
    #expect(weight["weightG"] == .int64(72_500) && weight["bodyFatPermille"] == .int64(215))
    #expect(weight["loggedDate"] == .string("2026-11-20"))
    #expect(try device.run("list weights").last?.contains("72.5") == true)
  }

  @Test func `all goals are one document`() throws {
    var device = try DietDevice()
    try device.run("goal kcal 2000")
    try device.run("goal weight 70")
    try device.run("goal start 2026-11-01")
    try device.run("goal kcal none")
    let goals = try device.document("userGoals")
    #expect(goals.name.id == "goals" && goals["energyKcal"] == nil && goals["weightG"] == .int64(70_000))
    #expect(try device.perform("goal weight 70").edits.isEmpty)
  }

  @Test func `a family is deleted with its members, and comes back with them`() throws {
    var device = try DietDevice()
    try device.run("family Home")
    let family = try device.document("families")
    try device.run("member \(family.shortID) Mara owner")
    try device.run("member \(family.shortID) Ben child")
    try device.upload()
    let ben = try #require(try device.documents("familyMembers").first { $0["name"] == .string("Ben") })
    try device.run("delete \(ben.name.id)")
    #expect(try device.run("delete \(family.name.id)") == ["deleted family Home with 1 member"])
    #expect(try device.documents("familyMembers").allSatisfy(\.isDeleted))
    #expect(try device.run("list members") == ["no family has a member yet; `member FAMILY \"Ben\" child` adds one"])
    #expect(try device.run("restore \(family.name.id)") == ["restored family Home with 1 member"])
    #expect(try device.documents("familyMembers").filter(\.isDeleted).map { $0["name"] } == [.string("Ben")])
    #expect(try device.refusal(of: "member \(ben.name.id) X child").hasPrefix("no family has an ID that begins with"))
  }

  @Test func `members of a family that is not there are not shown`() throws {
    var device = try DietDevice()
    try device.run("family Home")
    let family = try device.document("families")
    try device.run("member @1 Mara owner")
    try device.save(AppAnswer(edits: [.delete(family.id)]))
    #expect(try device.json("list members")["familyMembers"] == [])
    #expect(try device.documents("familyMembers").count == 1)
  }

  @Test func `a document that never left the device is erased, any other one is marked`() throws {
    var device = try DietDevice()
    try device.run("weigh 70")
    let first = try device.document("weightLogs")
    #expect(try device.perform("delete @1").edits == [.delete(first.id)])
    #expect(try device.documents("weightLogs") == [])
    try device.run("weigh 71")
    try device.upload()
    try device.run("delete @1")
    let second = try device.document("weightLogs")
    #expect(second.isDeleted && second["weightG"] == .int64(71_000) && second.fields.editedAt == device.now)
    #expect(try device.run("delete @1")[0].hasSuffix("is deleted already"))
    #expect(
      try device.refusal(of: "edit @1 notes x").hasSuffix("is deleted; `restore \(second.shortID)` brings it back"))
    try device.run("restore @1")
    #expect(try !device.document("weightLogs").isDeleted)
  }

  @Test func `an edit keeps members that this version does not know`() throws {
    var device = try DietDevice()
    try device.run("log lunch")
    var log = try device.document("foodLogs")
    log[.extra] = .string(#"{"mood":"good"}"#)
    let item = try #require(
      DocumentItem(
        text:
          #"{"_id":"A","createdAt":1,"extra":"{\"shop\":\"x\"}","name":"Oats","quantityMilli":1,"unit":"g","updatedAt":1}"#
      ))
    log.fields.set([item], in: "items")
    try device.save(AppAnswer(edits: [log.edit(.asGiven)]))
    try device.run("edit last notes x")
    try device.run("change last A kcal 5")
    let edited = try device.document("foodLogs")
    #expect(edited[.extra] == .string(#"{"mood":"good"}"#) && edited.items[0].json["extra"] == item.json["extra"])
    #expect(try device.json("show last")["document"]?["mood"] == "good")
  }

  @Test func `documents are found by the beginning of their IDs, in any case`() throws {
    var device = try DietDevice()
    for _ in 0..<20 { try device.run("weigh 70") }
    let weights = try device.documents("weightLogs")
    #expect(
      try device.json("show \(weights[7].name.id.lowercased())")["document"]?["_id"] == .string(weights[7].name.id))
    #expect(try device.json("show weightLogs.@3")["document"]?["_id"] == .string(weights[2].name.id))
    let letter = weights.map { $0.name.id.prefix(1) }.first { first in weights.count { $0.name.id.hasPrefix(first) } > 1
    }
    #expect(try device.refusal(of: "show \(letter ?? "")").contains("stands for several"))
    var app = try DeviceApp.dietLog.launch(device.view)
    #expect(try app.find("@2", in: device.view) == weights[1].id)
  }
}
