import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitRecords

struct InterchangeTests {
  private let interchange: DeviceApp.Interchange

  init() throws { interchange = try #require(DeviceApp.dietLog.interchange) }

  private func device() throws -> DietDevice {
    var device = try DietDevice()
    try device.run("log lunch")
    try device.run("add last Oats 60 g kcal 220")
    try device.run("add last Rice 60 g")
    try device.run("drop last Rice")
    try device.run("weigh 70")
    try device.run("goal kcal 2000")
    try device.run("family Home")
    try device.run("member @1 Mara owner")
    try device.upload()
    try device.run("delete weightLogs.@1")
    return device
  }

  @Test func `another device has the same documents after an import, and a second import changes nothing`() throws {
    let device = try device()
    let export = try interchange.export(.all, device.view)
    #expect(export.files.map(\.name) == ["DietLog.json"])
    var other = try DietDevice()
    let answer = try interchange.merge(export.files[0].text, other.view)
    #expect(answer.lines() == ["7 added, 0 updated, 0 unchanged, 0 refused"])
    try other.save(answer)
    for collection in DietLog.schema.collections.map(\.name) {
      #expect(try other.documents(collection) == device.documents(collection))
    }
    let again = try interchange.merge(export.files[0].text, other.view)
    #expect(again.edits.isEmpty && again.lines() == ["0 added, 0 updated, 7 unchanged, 0 refused"])
  }

  @Test func `an import joins the items of both sides`() throws {
    let device = try device()
    let file = try interchange.export(.all, device.view).files[0].text
    var other = try DietDevice()
    try other.save(try interchange.merge(file, other.view))
    try other.run("add @1 Milk 1 cup")
    let answer = try interchange.merge(file, other.view)
    #expect(answer.edits.isEmpty)
    #expect(try other.document("foodLogs").liveItems.map(\.name).sorted() == ["Milk", "Oats"])
  }

  @Test(arguments: [
    ("[1]", "expected an object, found an array"),
    (
      "{\"app\":\"SwissCoin\"}",
      "/app: expected \"DietLog\", found \"SwissCoin\"; the file belongs to another app"
    ),
    ("{\"app\":\"DietLog\",\"version\":2}", "/version: expected 1, found 2"),
    ("{\"app\":\"DietLog\",\"version\":1}", "/documents: expected an object of collections"),
    (
      "{\"app\":\"DietLog\",\"version\":1,\"documents\":{\"dailySummaries\":[]}}",
      "/documents/dailySummaries: there is no such collection; expected foodLogs, weightLogs, userGoals, recentFoods, families, familyMembers"
    ),
    (
      "{\"app\":\"DietLog\",\"version\":1,\"documents\":{\"families\":3}}",
      "/documents/families: expected a list of documents, found an integer"
    ),
  ])
  func `a file of another form is refused as a whole`(file: String, sentence: String) throws {
    #expect(throws: AppRefusal(sentence)) { try interchange.check(Array(file.utf8)) }
  }

  @Test func `a document that cannot be read is refused alone`() throws {
    let file = """
      {"app":"DietLog","version":1,"documents":{"families":[{"_id":"F","name":"Home","updatedAt":"2026-11-21T12:00:00Z"},
      {"_id":"G","updatedAt":"2026-11-21T12:00:00Z"},{"_id":"a b"},{"_id":"H","name":"x"},3]}}
      """
    let answer = try interchange.merge(Array(file.utf8), try DietDevice().view)
    #expect(
      answer.lines() == [
        "1 added, 0 updated, 0 unchanged, 4 refused",
        "refused /documents/families/1: `name` is missing; it has to be a text of 1 to 100 characters",
        "refused /documents/families/2/_id: expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _",
        "refused /documents/families/3/updatedAt: expected a time such as 2026-11-21T06:06:01.308Z",
        "refused /documents/families/4/_id: expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _",
      ])
  }
}
