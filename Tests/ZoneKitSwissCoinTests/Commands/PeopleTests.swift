import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTables

struct PeopleTests {
  private let account: Name = "7c0a0000-0000-4000-8000-000000000001"

  @Test func `the first entry of nobody makes an ID and a person for the user, in the same transaction`() throws {
    var device = try CoinDevice()
    let answer = try device.perform(#"person add "Ben" phone +41791234567 color #3366CC"#)
    #expect(answer.edits.count == 2)
    #expect(answer.appValues.map(\.key) == ["me"])
    let me = try #require(try device.store.appValues()["me"]?.text)
    #expect(try device.rows("persons").map(\.name).sorted { $0 ?? "" < $1 ?? "" } == ["Ben", "Me"])
    #expect(try device.person("Me").key.text == me)
    #expect(try device.person("Me")[.editedAt] == .timestamp(WallTime(milliseconds: 0)))
    let ben = try device.person("Ben")
    #expect(ben["phone_number"] == .text("+41791234567"))
    #expect(ben["color_hex"] == .text("#3366CC"))
    #expect(ben["is_archived"] == .bool(false))
    #expect(ben[.createdAt] == .timestamp(device.now) && ben[.editedAt] == .timestamp(device.now))
    #expect(try device.perform("person add Cara").edits.count == 1)
  }

  @Test func `a command that reads makes nothing`() throws {
    var device = try CoinDevice()
    try device.expectNoChange("list persons")
    #expect(try device.store.appValues().isEmpty)
  }

  @Test func `with an account the user's person has its ID`() throws {
    var device = try CoinDevice(account: account)
    try device.run("person add Ben")
    #expect(try device.person("Me").id.recordName.text == "persons/\(account)")
    #expect(try device.store.appValues().isEmpty)
  }

  @Test func `me name changes profile and person, and is stamped`() throws {
    var device = try CoinDevice(account: account)
    let id = try #require(UUID(account.text))
    try device.pull("profiles", id, ["display_name": .text("Me")])
    #expect(try device.run(#"me name "Mara""#) == ["your name is Mara"])
    #expect(try device.row("profiles")["display_name"] == .text("Mara"))
    #expect(try device.row("persons").name == "Mara")
    #expect(try device.row("persons")[.editedAt] == .timestamp(device.now))
    try device.expectNoChange("me name Mara")
  }

  @Test func `an archived person is not listed, and comes back`() throws {
    var device = try CoinDevice()
    try device.run("person add Ben")
    let id = try device.person("Ben").shortID
    #expect(try device.run("person archive Ben") == ["archived person Ben \(id)"])
    #expect(try device.run("list persons").count == 2)
    #expect(
      try device.refusal(of: "remind Ben") == "person Ben \(id) is archived; `person unarchive \(id)` brings it back")
    #expect(try device.run("person archive Ben") == ["person Ben \(id) is like that already"])
    #expect(try device.run("person unarchive Ben") == ["unarchived person Ben \(id)"])
    #expect(try device.refusal(of: "person archive me") == "you cannot archive yourself")
    #expect(try device.refusal(of: "edit me is_archived true") == "you cannot archive yourself")
  }

  @Test func `a group has the user and the named persons as members, each once`() throws {
    var device = try CoinDevice()
    try device.run("person add Ben")
    let said = try device.run("group add Flat with Ben,me,Ben")
    let group = try device.row("user_groups")
    #expect(said == ["added group Flat \(group.shortID) with 2 members"])
    #expect(group["created_date"] == .timestamp(device.now))
    #expect(try device.rows("group_members").map { $0["person_id"] }.count == 2)
  }

  @Test func `leaving deletes the membership, joining again restores it, and a member twice is no change`() throws {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat")
    #expect(try device.run("group join Flat Ben") == ["Ben is a member of Flat"])
    #expect(try device.run("group join Flat Ben") == ["Ben is a member of Flat already"])
    #expect(try device.run("group leave Flat Ben") == ["Ben is no member of Flat"])
    let left = try device.rows("group_members").filter { !$0.isLiving }
    #expect(left.map { $0[.deletedAt] } == [.timestamp(device.now)])
    #expect(left[0][.editedAt] == left[0][.deletedAt])
    try device.expectNoChange("group leave Flat Ben")
    #expect(try device.run("group join Flat Ben") == ["Ben is a member of Flat"])
    #expect(try device.rows("group_members").allSatisfy(\.isLiving))
    #expect(try device.rows("group_members").count == 2)
  }

  @Test func `after the first full fetch without a person the app makes it from the profile`() throws {
    var device = try CoinDevice(account: account)
    let id = try #require(UUID(account.text))
    var app = try DeviceApp.swissCoin.launch(device.view)
    let early = try app.repairs(in: device.view)
    #expect(early.isEmpty)
    try device.pull("profiles", id, ["display_name": .text("Mara")])
    let unfinished = try app.repairs(in: device.view)
    #expect(unfinished.isEmpty, "the fetch is not over")
    var store = device.store
    var transition = DeviceTransition()
    transition.zones = [ZoneState(zoneID: SwissCoin.zoneID, token: ChangeToken("t1.x"))]
    try store.commit(transition)
    let view = AppView(store: store, account: account, wall: device.now)
    let edits = try app.repairs(in: view)
    #expect(edits.map(\.recordID.recordName.text) == ["persons/\(account)"])
    var made: Fields?
    if case .save(_, _, let given, _, .asGiven)? = edits.first { made = given }
    let fields = try #require(made)
    #expect(fields["name"] == .string("Mara"))
    #expect(fields["created_at"] == .timestamp(WallTime(milliseconds: 0)))
    #expect(fields["edited_at"] == .timestamp(WallTime(milliseconds: 0)))
    _ = try device.perform("person add Ben")
    let late = try app.repairs(in: AppView(store: device.store, account: account, wall: device.now))
    #expect(late.isEmpty)
  }
}
