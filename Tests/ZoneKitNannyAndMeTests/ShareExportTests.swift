import ZoneKitDeviceHost
import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

private let mia = Profile(id: recordID(profileName), name: "Mia", updatedAt: morning)

private let tom = Profile(
  id: recordID("0A464B86-36B3-4E94-93C5-DCC2AF87B33D"), name: "Tom", updatedAt: morning)

private func ids(_ actions: [BabyAction]) throws -> [Name] {
  let text = ShareFile.text(of: mia, actions: actions, exportedAt: morning)
  return try ShareFile(parsing: text).entries.map(\.action.id.recordName)
}

struct ShareExportTests {
  @Test func `of equal starts the smaller ID comes first, in any order of the actions`() throws {
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

  @Test func `what is in no file is named`() throws {
    var stray = BabyAction.sleep(2, from: 0)
    stray.profile = nil
    var device = try TestDevice([.sleep(1, from: 0), stray], profiles: [mia, tom])
    try device.put(actionID(3), type: BabyAction.recordType, RecordContent(fields: .empty))
    let rest = "1 action of no profile, 1 record that cannot be read"
    #expect(
      try DeviceApp.Export(of: device.app, .named("Mia"), at: morning).remark
        == "left out: profile Tom (\(tom.id.recordName)) with 0 actions, \(rest)")
    #expect(
      try DeviceApp.Export(of: device.app, .named("Tom"), at: morning).remark
        == "left out: profile Mia (\(profileName)) with 1 action, \(rest)")
    #expect(try DeviceApp.Export(of: device.app, .all, at: morning).remark == "left out: \(rest)")
    #expect(try DeviceApp.Export(of: TestDevice(profiles: [mia]).app, at: morning).remark == nil)
  }

  @Test func `all profiles go into a file each, which an import reads back`() throws {
    var action = BabyAction.sleep(2, from: 0, to: 5)
    action.profile?.recordName = tom.id.recordName
    let device = try TestDevice([.sleep(1, from: 0, to: 9), action], profiles: [mia, tom])
    let files = try DeviceApp.Export(of: device.app, .all, at: morning).files
    #expect(files.map(\.name) == ["\(tom.id.recordName).json", "\(profileName).json"])
    let read = try files.map { try ShareFile(parsing: $0.text) }
    #expect(read.map(\.profile.name) == ["Tom", "Mia"])
    #expect(read.map { $0.entries.map(\.action.id) } == [[actionID(2)], [actionID(1)]])
  }

  @Test func `a profile is chosen by its name or by the beginning of its ID`() throws {
    let app = try TestDevice(profiles: [mia, tom]).app
    func chosen(_ text: String) throws -> [Name] {
      try DeviceApp.Export(of: app, .named(text), at: morning).files.map {
        try ShareFile(parsing: $0.text).profile.id.recordName
      }
    }
    #expect(try chosen("Tom") == [tom.id.recordName])
    #expect(try chosen("e9464b86") == [profileName])
    let list = "Tom (\(tom.id.recordName)), Mia (\(profileName))"
    #expect(throws: AppRefusal("no profile has the name or ID Ada; there are \(list)")) { try chosen("Ada") }
  }

  @Test func `a name of two profiles is refused with both IDs`() throws {
    var twin = tom
    twin.name = "Mia"
    let app = try TestDevice(profiles: [mia, twin]).app
    let list = "Mia (\(tom.id.recordName)), Mia (\(profileName))"
    #expect(throws: AppRefusal("Mia means several profiles: \(list); give one ID")) {
      try DeviceApp.Export(of: app, .named("Mia"), at: morning)
    }
  }

  @Test(arguments: [DeviceApp.Selection.current, .all, .named("X")])
  func `without a profile there is nothing to export`(_ selection: DeviceApp.Selection) throws {
    let app = try TestDevice().app
    #expect(throws: AppRefusal("there is no profile to export; `profile name \"Mia\"` makes one")) {
      try DeviceApp.Export(of: app, selection, at: morning)
    }
  }
}
