import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

private let sleepID = recordID("0CB1E29C-658C-4A14-95E6-0AF593BD04CF")
private let runningID = recordID("8A60B38A-24C0-4DFE-8B0A-CEBE89633A03")

struct ShareImportTests {
  @Test func `a first import adds everything, the profile before its actions`() throws {
    var device = try TestDevice()
    let plan = try device.importing(SampleFile.text())
    #expect(plan.report.lines == ["5 added, 0 updated, 0 unchanged, 0 refused"])
    #expect(plan.edits.count == 5)
    #expect(plan.edits[0].recordID == recordID(profileName))
    #expect(device.app.currentProfile?.id == recordID(profileName))
  }

  @Test(arguments: [[SampleFile.bottle, SampleFile.diaper, SampleFile.sleep], [SampleFile.oldSleep]])
  func `importing the same file again changes nothing`(history: [String]) throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text(history: history))
    let commits = device.store.commitCount
    device.now = .minute(600)
    let again = try device.importing(SampleFile.text(history: history))
    #expect(again.edits.isEmpty)
    #expect(again.report.lines == ["0 added, 0 updated, \(history.count + 2) unchanged, 0 refused"])
    #expect(device.store.commitCount == commits)
  }

  @Test func `what is imported keeps the stamps of its file, the profile that of the export`() throws {
    var device = try TestDevice()
    device.now = .minute(600)
    try device.importing(SampleFile.text())
    #expect(device.app.currentProfile?.updatedAt == morning)
    #expect(device.app.log.action(sleepID)?.updatedAt.iso8601Seconds == "2026-08-14T04:20:00Z")
    let later = SampleFile.text().replacing("Zoë", with: "Zoe").replacing("14T06:00:00Z", with: "14T07:00:00Z")
    try device.importing(later)
    #expect(device.app.currentProfile?.updatedAt == .minute(60))
  }

  @Test func `an export of what was imported is the file, byte for byte`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text())
    #expect(try device.exported(at: morning) == SampleFile.text())
  }

  @Test func `what another device got through the cloud exports to the same file`() throws {
    var device = try TestDevice()
    let edits = try device.importing(SampleFile.text()).edits
    var other = try TestDevice()
    for edit in edits.reversed() { try other.save([edit]) }
    #expect(try other.exported(at: morning) == SampleFile.text())
  }

  @Test func `an action that came without a stamp goes out with the stamp of its file`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text(history: [SampleFile.oldSleep]))
    let stamped = SampleFile.sleep.replacing(
      "\"updatedAt\": \"2026-08-14T04:20:00Z\"", with: "\"updatedAt\": \"2026-08-14T06:00:00Z\"")
    #expect(try device.exported(at: morning) == SampleFile.text(history: [stamped]))
  }

  @Test func `a newer action in the file wins, an older one loses`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text())
    let newer = SampleFile.sleep.replacing("04:20:00Z", with: "04:25:00Z")
    #expect(try device.importing(SampleFile.text(history: [newer])).report.updated == [sleepID])
    #expect(device.app.log.action(sleepID)?.endDate?.iso8601Seconds == "2026-08-14T04:25:00Z")
    let older = try device.importing(SampleFile.text())
    #expect(older.edits.isEmpty)
    #expect(device.app.log.action(sleepID)?.endDate?.iso8601Seconds == "2026-08-14T04:25:00Z")
  }

  @Test func `an edit made after the export survives the import of the file`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text())
    try device.run("edit 0CB1E29C placename home")
    try device.run("profile name Mia")
    #expect(try device.importing(SampleFile.text()).edits.isEmpty)
    #expect(device.app.log.action(sleepID)?.placename == "home")
    #expect(device.app.currentProfile?.name == "Mia")
  }

  @Test func `a later file renames the profile and keeps what it cannot say`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text())
    var fields = try #require(try device.fields(recordID(profileName)))
    fields["avatar"] = .bytes([1, 2])
    let content = RecordContent(fields: EncodedFields(fields))
    try device.put(recordID(profileName), type: Profile.recordType, content)
    let later = SampleFile.text().replacing("Zoë Müller-Łukasz 👶", with: "Zoë")
      .replacing("\"exportedAt\": \"2026-08-14T06", with: "\"exportedAt\": \"2026-08-14T07")
    #expect(try device.importing(later).report.updated == [recordID(profileName)])
    #expect(try device.fields(recordID(profileName))?["name"] == .string("Zoë"))
    #expect(try device.fields(recordID(profileName))?["avatar"] == .bytes([1, 2]))
  }

  @Test func `a later file with the same content changes nothing, though its stamps are newer`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text(active: "{}", history: [SampleFile.oldSleep]))
    let later = SampleFile.text(active: "{}", history: [SampleFile.oldSleep])
      .replacing("\"exportedAt\": \"2026-08-14T06", with: "\"exportedAt\": \"2026-08-14T07")
    #expect(try device.importing(later).report.unchanged == [recordID(profileName), sleepID])
    #expect(device.app.log.action(sleepID)?.updatedAt == morning)
  }

  @Test func `what a newer version wrote into an action survives an import that changes it`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text())
    var fields = try #require(try device.fields(sleepID))
    fields["mood"] = .string("sunny")
    let content = RecordContent(fields: EncodedFields(fields), parent: profileName)
    try device.put(sleepID, type: BabyAction.recordType, content)
    #expect(try device.importing(SampleFile.text()).edits.isEmpty)
    let newer = SampleFile.sleep.replacing("04:20:00Z", with: "04:25:00Z")
    #expect(try device.importing(SampleFile.text(history: [newer])).report.updated == [sleepID])
    #expect(try device.fields(sleepID)?["mood"] == .string("sunny"))
  }

  @Test func `milliseconds that the file cannot say are no difference`() throws {
    var device = try TestDevice(profiles: [NannyZone.firstProfile(of: "nanny")])
    device.now = WallTime.minute(0).advanced(byMilliseconds: 789)
    try device.run("log sleep at -1h until now")
    let exported = try device.exported(at: .minute(5))
    #expect(try device.importing(exported).report.lines == ["0 added, 0 updated, 2 unchanged, 0 refused"])
  }

  @Test func `a running action of the file that meets another is settled by the rule, and again changes nothing`()
    throws
  {
    let profile = Profile(id: recordID(profileName), name: "Mia", updatedAt: .minute(9))
    var device = try TestDevice([.sleep(1, from: -10)], profiles: [profile])
    let plan = try device.importing(SampleFile.text(history: []))
    #expect(plan.report.ended == [runningID])
    #expect(device.app.log.action(runningID)?.endDate == .minute(-10))
    #expect(device.app.repairs.isEmpty)
    #expect(try device.importing(SampleFile.text(history: [])).edits.isEmpty)
  }

  @Test func `of two actions with one ID the newer is taken and the other refused`() throws {
    var device = try TestDevice()
    let newer = SampleFile.sleep.replacing("04:20:00Z", with: "04:25:00Z")
    let report = try device.importing(SampleFile.text(history: [SampleFile.sleep, newer])).report
    let reason = "the ID is also at /actions/history/1; the newer of the two is used"
    #expect(report.refused == [ShareNote("/actions/history/0", reason)])
    #expect(device.app.log.action(sleepID)?.endDate?.iso8601Seconds == "2026-08-14T04:25:00Z")
  }

  @Test func `an action whose ID is taken by something else is refused`() throws {
    var stranger = BabyAction.sleep(1, from: 0, to: 1)
    stranger.id = sleepID
    stranger.profile?.recordName = "OTHER"
    var device = try TestDevice([stranger])
    let diaperID = recordID("3E4CDC2D-2D2C-44CF-A197-41E55A7E3574")
    try device.put(diaperID, type: BabyAction.recordType, RecordContent(fields: .empty))
    let bottle = SampleFile.bottle.replacing("10B650D5-00A8-45EA-BF18-B81EC0489382", with: profileName.text)
    let report = try device.importing(SampleFile.text(history: [bottle, SampleFile.diaper, SampleFile.sleep])).report
    #expect(
      report.refused == [
        ShareNote("/actions/history/0", "the ID is that of a profile"),
        ShareNote(
          "/actions/history/1", "the device has a record of that ID that this version of the app cannot read"),
        ShareNote("/actions/history/2", "the ID is that of an action of profile OTHER"),
      ])
    #expect(device.app.log.action(sleepID) == stranger)
  }

  @Test func `an ID in lower case is the same ID`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text())
    let lower = SampleFile.sleep.replacing(sleepID.recordName.text, with: sleepID.recordName.text.lowercased())
    #expect(try device.importing(SampleFile.text(history: [lower])).edits.isEmpty)
  }

  @Test func `a malformed file changes nothing`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text(history: [SampleFile.sleep]))
    let before = device.app
    let text = SampleFile.text()
    for length in stride(from: 0, to: text.utf8.count - 2, by: 7) {
      let cut = String(decoding: Array(text.utf8.prefix(length)), as: UTF8.self)
      #expect(throws: ShareFileError.self) { try device.importing(cut) }
    }
    #expect(device.app == before)
  }

  @Test func `stamps far ahead of the clock are counted`() throws {
    var device = try TestDevice()
    device.now = .minute(-10_000)
    #expect(
      try device.importing(SampleFile.text(history: [])).report.lines
        == ["2 added, 0 updated, 0 unchanged, 0 refused, 1 stamp from the future"])
  }

  @Test func `the report names every remark on a line of its own`() {
    var report = ImportReport()
    report.added = [sleepID]
    report.refused = [ShareNote("/a", "no")]
    report.keptOut = [ShareNote("/b", "unknown key, kept out")]
    report.ended = [runningID]
    #expect(
      report.lines == [
        "1 added, 0 updated, 0 unchanged, 1 refused, 1 value kept out, 1 running action ended", "refused /a: no",
        "kept out /b: unknown key, kept out",
      ])
  }
}
