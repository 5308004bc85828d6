import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

private let mia = Profile(id: recordID(profileName), name: "Mia", updatedAt: morning)

private func ids(_ actions: [BabyAction]) throws -> [Name] {
  let text = ShareFile.text(of: mia, actions: actions, exportedAt: morning)
  return try ShareFile(parsing: text).entries.map(\.action.id.recordName)
}

struct ShareExportTests {
  @Test func `of equal starts the smaller ID stands first, whatever order the actions come in`() throws {
    let tied: [BabyAction] = [.sleep(2, from: 0, to: 5), .sleep(1, from: 0, to: 9), .sleep(3, from: 1, to: 2)]
    let order = [3, 1, 2].map { actionID($0).recordName }
    #expect(try ids(tied) == order)
    #expect(try ids(tied.reversed()) == order)
  }

  @Test func `two running sleeps go out as the rule will settle them`() throws {
    let text = ShareFile.text(of: mia, actions: [.sleep(1, from: 0), .sleep(2, from: 5)], exportedAt: morning)
    let file = try ShareFile(parsing: text)
    #expect(file.entries.map(\.action) == [.sleep(2, from: 5), .sleep(1, from: 0, to: 5)])
    #expect(file.entries.map(\.path) == ["/actions/activeActions/sleep", "/actions/history/0"])
  }

  @Test func `a bare profile has all that the format demands`() throws {
    let text = String(decoding: ShareFile.text(of: mia, actions: [], exportedAt: morning), as: UTF8.self)
    #expect(
      text == """
        {
         "version": 1,
         "exportedAt": "2026-08-14T06:00:00Z",
         "profile": {
          "id": "E9464B86-36B3-4E94-93C5-DCC2AF87B33D",
          "name": "Mia",
          "remindersEnabled": true,
          "isShared": false,
          "sharePermissionRawValue": "edit",
          "actionReminderIntervals": {},
          "actionRemindersEnabled": {},
          "actionReminderOverrides": {}
         },
         "actions": {
          "activeActions": {},
          "history": []
         }
        }

        """)
  }

  @Test func `a name with quotes, line breaks and leading blanks comes back as it was`() throws {
    var odd = mia
    odd.name = "    \"Mia\"\n    \\ \u{1F} 👶"
    odd.actionReminderOverrides = "not JSON"
    let text = ShareFile.text(of: odd, actions: [], exportedAt: morning)
    #expect(try ShareFile(parsing: text).profile.name == odd.name)
    #expect(try ShareFile(parsing: text).profile.actionReminderOverrides == "{}")
  }

  @Test func `what is left out is said`() throws {
    var stray = BabyAction.sleep(2, from: 0)
    stray.profile = nil
    var device = try TestDevice([.sleep(1, from: 0), stray], profiles: [mia])
    try device.put(actionID(3), type: BabyAction.recordType, RecordContent(fields: .empty))
    let export = try ShareExport(of: device.app, at: morning)
    #expect(export.remark == "left out: 1 actions of other profiles, 1 records that cannot be read")
    #expect(try ShareExport(of: TestDevice(profiles: [mia]).app, at: morning).remark == nil)
  }

  @Test func `without a profile there is nothing to export`() throws {
    let app = try TestDevice().app
    #expect(throws: CommandError("there is no profile to export; `profile name \"Mia\"` makes one")) {
      try ShareExport(of: app, at: morning)
    }
    let other = CommandError("no profile has the ID X; `profile name \"Mia\"` makes one")
    #expect(throws: other) { try ShareExport(of: app, profile: recordID("X"), at: morning) }
  }
}
