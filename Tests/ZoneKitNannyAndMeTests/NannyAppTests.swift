import ZoneKitDeviceHost
import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

private func said(_ answer: NannyAnswer) -> String { answer.lines(now: morning).joined(separator: "\n") }

struct NannyAppTests {
  @Test func `a logged bottle is saved now, behind its profile as given, in one transaction`() throws {
    var device = try TestDevice()
    let answer = try device.run("log feeding bottle volume 120 type formula at -20m until -5m")
    let action = device.app.log.list()[0]
    let profile = NannyZone.firstProfile(of: "nanny")
    var expected = BabyAction(
      id: action.id, category: .feeding, startDate: .minute(-20), endDate: .minute(-5),
      profile: profile.id.recordName, updatedAt: action.updatedAt)
    expected.feedingType = .bottle
    expected.bottleType = .formula
    expected.bottleVolume = 120
    #expect(device.app.log.list() == [expected])
    #expect(action.updatedAt == morning)
    expected.updatedAt = WallTime(milliseconds: 0)
    #expect(answer.edits == [RecordEdit(profile, stamping: .asGiven), RecordEdit(expected, stamping: .now)])
    #expect(said(answer) == "logged feeding bottle \(action.shortID)")
    #expect(NannyZone.uuid(action.id.recordName.text) == action.id.recordName)
  }

  @Test func `what is logged is over, and without a time it was now`() throws {
    var device = try TestDevice()
    try device.run("log sleep")
    #expect(device.app.log.list()[0].startDate == morning)
    #expect(device.app.log.list()[0].endDate == morning)
    try device.run("log sleep until -1h")
    #expect(device.app.log.list()[1].startDate == .minute(-60))
  }

  @Test func `two devices that begin offline make the same first profile`() throws {
    var first = try TestDevice()
    var second = try TestDevice()
    second.now = .minute(90)
    let here = try first.run("log sleep").edits[0]
    let there = try second.run("log diaper pee").edits[0]
    #expect(here == there)
  }

  @Test func `naming the baby first makes a profile that beats the bare one`() throws {
    var device = try TestDevice()
    let answer = try device.run("profile name \"Mia\"")
    var named = NannyZone.firstProfile(of: "nanny")
    named.name = "Mia"
    #expect(answer.edits == [RecordEdit(named, stamping: .now)])
    #expect(device.app.currentProfile?.updatedAt == morning)
    try device.run("profile birth 2026-08-01")
    #expect(device.app.currentProfile?.birthDate?.iso8601Seconds == "2026-08-01T00:00:00Z")
    #expect(device.app.currentProfile?.name == "Mia")
  }

  @Test func `starting and stopping give one action with both ends`() throws {
    var device = try TestDevice()
    try device.run("start sleep")
    #expect(device.app.log.list()[0].isRunning)
    device.now = .minute(40)
    try device.run("stop sleep")
    #expect(device.app.log.list()[0].endDate == .minute(40))
    #expect(device.app.log.list()[0].updatedAt == .minute(40))
    #expect(device.app.log.list().count == 1)
  }

  @Test func `a second sleep cannot be started while one runs, a feeding can`() throws {
    var device = try TestDevice()
    try device.run("start sleep")
    let id = device.app.log.list()[0].shortID
    let error = AppRefusal("sleep \(id) is running since 2026-08-14T06:00:00Z; `stop sleep` ends it")
    #expect(throws: error) { try device.run("start sleep at -5m") }
    try device.run("start feeding leftBreast")
    #expect(device.app.log.list().count == 2)
  }

  @Test(arguments: [
    ("stop sleep", "no sleep is running; `start sleep` starts one"),
    ("stop diaper", "a diaper change is one moment; there is nothing to stop"),
    ("stop F", "no action or profile has an ID that begins with \"F\"; `list` shows the actions"),
    ("stop 00000001", "sleep 00000001 ended 2026-08-14T06:09:00Z; `edit` changes its endDate"),
    ("edit 00000001 bottleVolume 5", "only a bottle has a bottleVolume; 00000001 is sleep"),
    ("edit 00000001 diaperType pee", "only a diaper change has a diaperType; 00000001 is sleep"),
    ("edit E94 placename home", "\"E94\" is a profile; use `profile name` or `profile birth`"),
    (
      "show 0000000",
      "\"0000000\" begins several IDs: 00000002-0000-4000-8000-000000000000, 00000001-0000-4000-8000-000000000000; "
        + "give more characters"
    ),
  ])
  func `an impossible command names what would be right and changes nothing`(line: String, error: String) throws {
    let profile = Profile(id: recordID(profileName), name: "Mia", updatedAt: morning)
    var device = try TestDevice([.sleep(1, from: 0, to: 9), .bottle(2, at: 3, volume: 5)], profiles: [profile])
    let before = device.app
    #expect(throws: AppRefusal(error)) { try device.run(line) }
    #expect(device.app == before)
  }

  @Test func `an edit stamps the action after what it replaces, even by a clock that is behind`() throws {
    var device = try TestDevice([.bottle(1, at: 0, volume: 120, stamp: 30)])
    try device.run("edit 00000001 bottleVolume 150")
    let edited = device.app.log.list()[0]
    #expect(edited.bottleVolume == 150)
    #expect(edited.updatedAt == WallTime.minute(30).advanced(byMilliseconds: 1))
  }

  @Test(arguments: [
    "edit 1 bottleVolume 120", "edit 1 startDate 06:00", "edit 1 endDate 06:10", "edit 1 placename none",
  ])
  func `an edit that changes nothing writes nothing and stamps nothing`(line: String) throws {
    var device = try TestDevice([.bottle(1, at: 0, volume: 120)])
    let line = line.replacing("edit 1", with: "edit 00000001")
    let commits = device.store.commitCount
    #expect(try device.run(line) == .unchanged(said: "feeding bottle 00000001 is like that already"))
    #expect(device.app.log.list() == [.bottle(1, at: 0, volume: 120)])
    #expect(device.store.commitCount == commits)
  }

  @Test func `giving a profile the name it has writes nothing`() throws {
    var device = try TestDevice()
    try device.run("profile name Mia")
    #expect(try device.run("profile name Mia") == .unchanged(said: "profile Mia is like that already"))
  }

  @Test func `an end set before the start becomes the start`() throws {
    var device = try TestDevice([.sleep(1, from: 10, to: 20)])
    try device.run("edit 00000001 endDate 06:05")
    #expect(device.app.log.list()[0].endDate == .minute(10))
  }

  @Test func `an action set running beside another ends the earlier one in the same transaction`() throws {
    var device = try TestDevice([.sleep(1, from: 0), .sleep(2, from: 10, to: 20)])
    let edits = try device.run("edit 00000002 endDate none").edits
    let ended = BabyAction.sleep(1, from: 0, to: 10)
    #expect(edits == [RecordEdit(.sleep(2, from: 10), stamping: .now), RecordEdit(ended, stamping: .asGiven)])
    #expect(device.app.log.action(ended.id) == ended)
    #expect(device.app.log.action(actionID(2))?.updatedAt == morning.advanced(byMilliseconds: 1))
    #expect(device.app.repairs.isEmpty)
  }

  @Test func `two running sleeps that met ask for the same repair on both devices`() throws {
    let here = try TestDevice([.sleep(1, from: 0), .sleep(2, from: 10)])
    let there = try TestDevice([.sleep(2, from: 10), .sleep(1, from: 0)])
    #expect(here.app.repairs == there.app.repairs)
    #expect(here.app.repairs == [.init(ended: .sleep(1, from: 0, to: 10), successor: actionID(2))])
    let ended = BabyAction.sleep(1, from: 0, to: 10)
    let repair = RecordEdit.repair(
      ended.id, type: BabyAction.recordType, fields: ended.fields, parent: ended.parent, rule: "oneRunning")
    #expect(here.app.repairs.map(\.edit) == [repair])
  }

  @Test func `deleting a profile deletes its actions first and no others`() throws {
    let profile = Profile(id: recordID(profileName), name: "Mia", updatedAt: morning)
    var other = BabyAction.sleep(3, from: 5, to: 6)
    other.profile = nil
    var device = try TestDevice([.sleep(1, from: 0, to: 9), .bottle(2, at: 3, volume: 5), other], profiles: [profile])
    let answer = try device.run("delete E9464B86")
    #expect(answer.edits == [.delete(actionID(2)), .delete(actionID(1)), .delete(profile.id)])
    #expect(said(answer) == "deleted profile Mia and its 2 actions")
    #expect(device.app.log.list() == [other])
  }

  @Test func `deleting an action leaves the others`() throws {
    var device = try TestDevice([.sleep(1, from: 0, to: 9), .sleep(2, from: 10, to: 12)])
    #expect(said(try device.run("delete 00000001")) == "deleted sleep 00000001")
    #expect(device.app.log.list() == [.sleep(2, from: 10, to: 12)])
  }

  @Test func `an action is shown field by field`() throws {
    var device = try TestDevice([.sleep(1, from: 0, to: 9)])
    #expect(
      try device.run("show 00000001").lines(now: morning) == [
        "id 00000001-0000-4000-8000-000000000000", "category sleep", "endDate 2026-08-14T06:09:00.000Z",
        "profile E9464B86-36B3-4E94-93C5-DCC2AF87B33D", "startDate 2026-08-14T06:00:00.000Z",
        "updatedAt 2026-08-14T06:00:00.000Z",
      ])
  }

  @Test func `an edit of an action with a stamp from next year beats it, and what is logged next keeps to the clock`()
    throws
  {
    var device = try TestDevice([.sleep(1, from: 0, to: 9, stamp: 525_600)])
    try device.run("edit 00000001 placename home")
    #expect(beats(device.app.log.list()[0], .sleep(1, from: 0, to: 9, stamp: 525_600)))
    try device.run("log sleep")
    #expect(device.app.log.list().contains { $0.updatedAt < .minute(1) })
  }

  @Test func `answers are JSON too`() throws {
    var device = try TestDevice([.sleep(1, from: 0, to: 9)])
    #expect(
      try device.run("edit 00000001 placename home").json.text()
        == #"{"said":"set placename of sleep 00000001","records":["00000001-0000-4000-8000-000000000000"],"kinds":["sleep"]}"#
    )
    #expect(
      try device.run("edit 00000001 placename home").json.text()
        == #"{"said":"sleep 00000001 is like that already","records":[],"kinds":[]}"#)
    #expect(try device.run("list").json["actions"]?.array?.count == 1)
    #expect(try device.run("show 00000001").json["action"]?["placename"] == "home")
  }
}
