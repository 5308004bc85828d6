import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSimulator
import ZoneKitSwissCoin
import ZoneKitTables

struct SwissStoryTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `random stories over CloudKit's interface keep all promises`(seed: UInt64) throws {
    let outcome = try Swarm(apps: [.swissCoinOverZones]).story(seed: seed).play()
    #expect(outcome.violations.map { "\($0)" } == [])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a story is the same over messages and over values`(seed: UInt64) throws {
    var swarm = Swarm(apps: [.swissCoin])
    swarm.minutes = 3
    let story = swarm.story(seed: seed)
    let (values, messages) = (try story.play(), try story.play(carryingMessages: true))
    #expect(values.end == .held)
    #expect(messages.violations.map { "\($0)" } == [])
    #expect(values.digest == messages.digest)
  }

  @Test func `each step that a swarm draws reads as itself`() throws {
    for seed in 1...120 as ClosedRange<UInt64> {
      let scenario = Swarm(apps: [.swissCoin]).story(seed: seed).scenario
      #expect(try Scenario(parsing: scenario.text) == scenario)
    }
  }

  @Test(arguments: ["before", "after"])
  func `a process that dies as its user gives a photo owes the photo only if it stored it`(point: String) throws {
    let scenario = try Scenario(
      parsing: """
        scenario "a photo as the process dies"
        app SwissCoin
        devices A signed in as nanny
        A does person add Ben
        wait 10s
        kill A \(point) its 1st commit and start it again
        A gives A's last person photo 1
        wait 1m
        every device comes to the foreground and syncs
        wait 1m
        expect nothing is left over
        """)
    var player = try ScenarioPlayer(scenario, apps: [.swissCoin])
    #expect(player.play().violations.map { "\($0)" } == [])
  }

  @Test func `random commands use all verbs, and most of them are possible`() throws {
    var device = try CoinDevice()
    let (verbs, refusals) = try device.performRandomCommands(600, seed: 3)
    #expect(verbs == Set(CoinCommand.verbs).subtracting(["list", "show", "balance"]))
    #expect(refusals.values.reduce(0, +) < 200)
    #expect(!refusals.keys.contains { $0.hasPrefix("unexpected") || $0.contains("expected one of") })
    let rows = try SwissCoin.schema.tables.flatMap { try device.rows($0.name) }
    #expect(rows.count > 300)
    #expect(RowPromises.violations(in: rows) == [])
    let me = try #require(try device.store.appValues()["me"]?.text)
    let records = Dictionary(
      uniqueKeysWithValues: rows.map { ($0.id, RecordContent(fields: EncodedFields($0.row.fields(of: $0.table)))) })
    let agreed = AppView(store: device.store, account: Name(me), wall: device.now)
    #expect(DeviceApp.swissCoin.simulation.judgeAgreement(records, agreed) == [])
    let lost = records.filter { $0.key != rows.first { $0.table.name == "persons" }?.id }
    #expect(DeviceApp.swissCoin.simulation.judgeAgreement(lost, agreed) != [])
    let flaw = DeviceApp.swissCoin.simulation.flaw
    #expect(rows.compactMap { flaw($0.id, RecordContent(fields: EncodedFields($0.row.fields(of: $0.table)))) } == [])
  }

  @Test func `a scenario sees the balance of a person by name`() throws {
    let balance = try #require(DeviceApp.swissCoin.simulation.balance)
    var device = try CoinDevice()
    try device.run("person add Ben")
    #expect(try balance("Ben", device.view) == "0.00")
    try device.run("spend 84.50 Dinner for me,Ben")
    try device.run("spend 10 EUR Tea by Ben for me,Ben")
    #expect(try balance("Ben", device.view) == "42.25, -5.00")
    let view = device.view
    #expect(throws: AppRefusal.self) { try balance("Eve", view) }
    try device.run("person add Ben")
    let twice = device.view
    #expect(throws: AppRefusal.self) { try balance("Ben", twice) }
  }

  @Test func `the commands for a family make a parent of the promised ID, and a child`() throws {
    let lines = try #require(DeviceApp.swissCoin.simulation.familyLines?(7))
    var device = try CoinDevice()
    try device.run("person add Ben")
    for line in [lines.parent, lines.child, lines.edit, lines.deletion] { try device.run(line) }
    #expect(try device.row("user_groups").id == lines.id)
    #expect(try device.rows("group_members").allSatisfy { !$0.isLiving })
    #expect(try device.refusal(of: lines.parent).hasSuffix("has that id already"))
    #expect(try device.refusal(of: "group add Flat id 12") == "\"12\" is not an id; expected a UUID")
  }

  @Test func `a row with two keys is named by both`() throws {
    let flaw = DeviceApp.swissCoin.simulation.flaw
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat with Ben")
    let members = try device.rows("group_members")
    try #require(members.count == 2)
    let content = RecordContent(fields: EncodedFields(members[0].row.fields(of: members[0].table)))
    #expect(flaw(members[0].id, content) == nil)
    #expect(flaw(members[1].id, content)?.hasPrefix("its key is ") == true)
  }

  @Test func `a row ends with the content of its latest version`() throws {
    let law = DeviceApp.swissCoin.simulation.law
    var device = try CoinDevice()
    try device.run("person add Ben")
    var versions = [try device.person("Ben")]
    for (line, name) in [("edit Ben name Bea", "Bea"), ("edit Bea name Ben", "Ben"), ("edit Ben name Eve", "Eve")] {
      device.now = device.now.advanced(byMilliseconds: 1_000)
      try device.run(line)
      versions.append(try device.person(name))
    }
    let id = versions[0].id
    let contents = versions.map { RecordContent(fields: EncodedFields($0.row.fields(of: $0.table))) }
    #expect(law(id, contents, contents[3]) == nil)
    #expect(law(id, contents, contents[1])?.contains("a user edited it at") == true)
    #expect(law(id, contents, contents[0])?.contains("a user edited it at") == true)
    // The service has that content already, so it does not store the later version.
    #expect(law(id, Array(contents[...2]), contents[0]) == nil)
  }

  @Test func `a broken promise is named`() throws {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat with Ben")
    let rows = try SwissCoin.schema.tables.flatMap { try device.rows($0.name) }
    let me = try device.person("Me").key.parts[0]
    let group = try device.row("user_groups")
    var deleted = group
    deleted[.deletedAt] = .timestamp(device.now)
    let members = try device.rows("group_members")
    #expect(
      RowPromises.violations(in: rows.filter { $0.id != group.id } + [deleted])
        == members.map { "\($0.id.recordName) lives, and its group is deleted" })
    #expect(RowPromises.violations(in: rows + [group]) == ["\(group.id.recordName) is there twice"])
    #expect(
      RowPromises.violations(in: rows.filter { $0.id != group.id })
        == members.map { "\($0.id.recordName) refers to nothing in group_id" })
    #expect(RowPromises.violations(in: rows, former: me).count == 2)
  }
}
