import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

private func file(_ text: String) throws -> ShareFile { try ShareFile(parsing: Array(text.utf8)) }

/// A file whose history is that one action, written as the members given.
private func action(_ members: String) -> String {
  SampleFile.text(active: "{}", history: ["{\(members)}"])
}

private let sound = """
  "id": "0CB1E29C-658C-4A14-95E6-0AF593BD04CF", "category": "sleep", "startDate": "2026-08-14T03:00:00Z"
  """

struct ShareFileTests {
  @Test func `a file is read whole, with nothing refused or kept out`() throws {
    let read = try file(SampleFile.text())
    #expect(read.profile.id == recordID(profileName))
    #expect(read.profile.name == "Zoë Müller-Łukasz 👶")
    #expect(read.profile.updatedAt == morning)
    #expect(read.profile.reminderIntervals[.sleep] == 7200)
    #expect(read.profile.reminderIntervals[.diaper] == nil)
    #expect(read.profile.actionReminderOverrides == #"{"feeding":[1,2.5]}"#)
    #expect(
      read.entries.map(\.path) == [
        "/actions/activeActions/sleep", "/actions/history/0", "/actions/history/1", "/actions/history/2",
      ])
    #expect(read.entries[0].action.isRunning)
    #expect(read.entries[2].action.placename == "Spielplatz 🌳")
    #expect(read.entries[2].action.latitude == 48.15)
    #expect(read.refused.isEmpty)
    #expect(read.keptOut.isEmpty)
  }

  @Test func `an action without a stamp has that of the file`() throws {
    #expect(try file(SampleFile.text(history: [SampleFile.oldSleep])).entries[1].action.updatedAt == morning)
  }

  @Test func `the rules of the app hold for what a file brings`() throws {
    let read = try file(action(sound + #", "endDate": "2026-08-14T02:00:00Z", "bottleVolume": 60"#))
    #expect(read.entries[0].action.endDate == read.entries[0].action.startDate)
    #expect(read.entries[0].action.bottleVolume == nil)
  }

  @Test(arguments: [
    (#""category": "sleep""#, "/id", "missing; expected a UUID such as E9464B86-36B3-4E94-93C5-DCC2AF87B33D"),
    (#""id": "7""#, "/id", "expected a UUID such as E9464B86-36B3-4E94-93C5-DCC2AF87B33D, found \"7\""),
    (sound.replacing("sleep", with: "bath"), "/category", "expected one of sleep, diaper, feeding, found \"bath\""),
    (sound + #", "endDate": "soon""#, "/endDate", "expected a date such as 2026-08-14T06:31:05Z, found \"soon\""),
    (sound + #", "updatedAt": 12"#, "/updatedAt", "expected a date such as 2026-08-14T06:31:05Z, found 12"),
    (sound + #", "bottleVolume": "60""#, "/bottleVolume", "expected a whole number from 0 to 5000, found \"60\""),
    (sound + #", "bottleVolume": 1.5"#, "/bottleVolume", "expected a whole number from 0 to 5000, found 1.5"),
    (sound + #", "latitude": 90.5"#, "/latitude", "expected degrees from -90.0 to 90.0, found 90.5"),
    (sound + #", "placename": []"#, "/placename", "expected a string, found an array"),
    (#""id": "0CB1E29C-658C-4A14-95E6-0AF593BD04CF", "category": "sleep""#, "/startDate", "missing; expected a date"),
  ])
  func `an action that cannot be read is refused alone, with place and reason`(
    members: String, place: String, reason: String
  ) throws {
    let read = try file(SampleFile.text(history: ["{\(members)}", SampleFile.diaper]))
    #expect(read.refused == [ShareNote("/actions/history/0\(place)", reason)])
    #expect(read.entries.map(\.path) == ["/actions/activeActions/sleep", "/actions/history/1"])
  }

  @Test(arguments: ["12345678901234567890", "-9223372036854775809", "60.50", "1e400", "-0.5e0"])
  func `a refused number is quoted as the file has it`(number: String) throws {
    #expect(
      try file(action(sound + ", \"bottleVolume\": \(number)")).refused == [
        ShareNote("/actions/history/0/bottleVolume", "expected a whole number from 0 to 5000, found \(number)")
      ])
  }

  @Test func `overrides are stored in one form, and kept out where no export could write them`() throws {
    let spelled = SampleFile.text().replacing(" 2.5\n", with: " 2.50\n")
    #expect(try file(spelled).profile.actionReminderOverrides == #"{"feeding":[1,2.5]}"#)
    let read = try file(spelled.replacing(" 2.50\n", with: " 1e400\n"))
    #expect(read.profile.actionReminderOverrides == nil)
    #expect(
      read.keptOut == [
        ShareNote("/profile/actionReminderOverrides", "expected numbers within the range of a Double; kept out")
      ])
  }

  @Test func `an action under another category's key is refused`() throws {
    let read = try file(SampleFile.text(active: SampleFile.running.replacing("\"sleep\": {", with: "\"feeding\": {")))
    #expect(
      read.refused == [
        ShareNote("/actions/activeActions/feeding", "an action of category sleep does not belong under this key")
      ])
  }

  @Test func `what is not an action at all is refused with its place`() throws {
    let read = try file(SampleFile.text(history: ["7", SampleFile.sleep]))
    #expect(read.refused == [ShareNote("/actions/history/0", "expected an object, found an integer")])
  }

  @Test func `unknown keys and pictures are kept out and named`() throws {
    var text = SampleFile.text(history: ["{\(sound), \"mood/now\": 1}"])
    text = text.replacing("\"isShared\": false,", with: "\"imageData\": \"AAAA\", \"colour\": \"red\",")
    text = text.replacing("\"sleep\": 7200", with: "\"sleep\": 7200, \"bath\": 60")
    text = text.replacing("\"version\": 1,", with: "\"version\": 1, \"writer\": \"2.0\",")
    #expect(
      try file(text).keptOut == [
        ShareNote("/profile/actionReminderIntervals/bath", "expected whole seconds of a category; kept out"),
        ShareNote("/profile/imageData", "pictures are not taken over yet; kept out"),
        ShareNote("/actions/history/0/mood~1now", "unknown key, kept out"),
        ShareNote("/profile/colour", "unknown key, kept out"),
        ShareNote("/writer", "unknown key, kept out"),
      ])
  }

  @Test func `a setting of the wrong type is kept out, and the profile still taken`() throws {
    let read = try file(SampleFile.text().replacing("\"remindersEnabled\": true", with: "\"remindersEnabled\": 1"))
    #expect(
      read.keptOut == [ShareNote("/profile/remindersEnabled", "expected true or false, found 1; kept out")])
    #expect(read.profile.remindersEnabled)
  }

  @Test(arguments: [
    ("\"version\": 1,", "", "/version: missing; expected the number 1"),
    ("\"version\": 1,", "\"version\": 0,", "/version: expected a whole number from 1 to 1, found 0"),
    ("\"version\": 1,", "\"version\": \"1\",", "/version: expected a whole number from 1 to 1, found \"1\""),
    ("\"exportedAt\"", "\"when\"", "/exportedAt: missing; expected a date"),
    ("\"profile\": {", "\"baby\": {", "/profile: missing; expected an object"),
    ("\"name\": \"Zo", "\"title\": \"Zo", "/profile/name: missing; expected a name"),
    (
      "\"id\": \"E9", "\"id\": \"X9",
      "/profile/id: expected a UUID such as E9464B86-36B3-4E94-93C5-DCC2AF87B33D, "
        + "found \"X9464B86-36B3-4E94-93C5-DCC2AF87B33D\""
    ),
    ("\"history\"", "\"log\"", "/actions/history: missing; expected a list of actions"),
    (
      "\"activeActions\": {", "\"activeActions\": 7, \"x\": {",
      "/actions/activeActions: expected an object of actions by category, found an integer"
    ),
  ])
  func `a file whose frame is broken is refused as a whole`(part: String, other: String, reason: String) {
    #expect(throws: ShareFileError.malformed(reason)) { try file(SampleFile.text().replacing(part, with: other)) }
  }

  @Test func `a file of a newer version is refused with any content`() {
    #expect(throws: ShareFileError.newerVersion(2)) { try file(#"{"version": 2}"#) }
    #expect(
      ShareFileError.newerVersion(2).description
        == "the share file has version 2; this app reads version 1, so update the app")
  }

  @Test func `a file cut off anywhere is malformed`() {
    let whole = Array(SampleFile.text().utf8)
    let end = whole.count - 1
    for length in 0..<end - 1 {
      #expect(throws: ShareFileError.self) { try ShareFile(parsing: Array(whole[..<length])) }
    }
    #expect(throws: Never.self) { try ShareFile(parsing: Array(whole[..<end])) }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `bytes that are no text are refused`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let garbage = RandomIdentifier.bytes(Int(seed), using: &generator)
    #expect(throws: ShareFileError.self) { try ShareFile(parsing: garbage) }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `a file with one byte changed is read or refused`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var bytes = Array(SampleFile.text().utf8)
    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
    do throws(ShareFileError) {
      let read = try ShareFile(parsing: bytes)
      #expect(read.entries.count + read.refused.count == 4)
    } catch {
      #expect(!"\(error)".isEmpty)
    }
  }
}
