import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

struct NannyZoneTests {
  @Test func `the examples play on the morning they say`() {
    #expect(morning.iso8601Seconds == "2026-08-14T06:00:00Z")
  }

  @Test func `the first profile is the same on every device of an account, and another for every account`() {
    #expect(NannyZone.firstProfile(of: "nanny") == NannyZone.firstProfile(of: "nanny"))
    #expect(NannyZone.firstProfile(of: "nanny").id != NannyZone.firstProfile(of: "granny").id)
  }

  @Test func `the first profile's name is an upper-case UUID of version 8`() {
    let name = NannyZone.firstProfile(of: "nanny").id.recordName
    #expect(NannyZone.uuid(name.text) == name)
    #expect(Array(name.text)[14] == "8")
    #expect(Array(name.text)[19] == "8")
  }

  @Test func `any edit of a user wins over the first profile`() {
    #expect(NannyZone.firstProfile(of: "nanny").updatedAt == WallTime(milliseconds: 0))
  }

  @Test(
    arguments: [
      ("e9464b86-36b3-4e94-93c5-dcc2af87b33d", "E9464B86-36B3-4E94-93C5-DCC2AF87B33D"),
      ("E9464B86-36B3-4E94-93C5-DCC2AF87B33", nil),
      ("E9464B86036B3-4E94-93C5-DCC2AF87B33D", nil),
      ("G9464B86-36B3-4E94-93C5-DCC2AF87B33D", nil),
      ("", nil),
    ] as [(String, Name?)])
  func `a UUID is recognised and written in uppercase`(text: String, uuid: Name?) {
    #expect(NannyZone.uuid(text) == uuid)
  }
}
