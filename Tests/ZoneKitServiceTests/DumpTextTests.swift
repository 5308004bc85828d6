import ZoneKitRecords
import ZoneKitService
import Testing

@Suite struct DumpTextTests {
  @Test func `the text of a dump is this`() throws {
    #expect(
      try DumpText(DumpSample.document()).text == """
        diagnostics at 2026-08-14T06:31:05.250Z, zonekit 0.1.0

        device A, user nanny, backingOff
          push          last received 06:31:02.250 (3 s ago), id NID-1
                        sent 06:31:02.230 (3 s ago), handled 06:31:02.750 (2 s ago), led to change never
                        received 7, duplicates 1, unknown subscription 0, without id 0, drought: changes come \
        without pushes
          fetch         last finished 06:31:02.750 (2 s ago), ok, because of push
                        records 2, pages 3, token 2 s old
          send          last 2026-08-13 05:31:05.250 (1 d ago), pending 2, oldest 06:29:35.250 (1 min ago)
                        kept back N2: too large
          subscription  active, zonekit-database-changes, created, verified 04:31:05.250 (2 h ago)
          conflicts     total 1
                        N1 06:29:05.250 (2 min ago): server by updatedAt
          records       Note 2
          clock         12 ms behind the cloud's

        device B
          cannot be read: file is not a database

        cloud
          ZONE           USER   RECORDS  TOMBSTONES  SEQUENCE  LAST COMMIT
          Notes          nanny  2        1           14        06:31:02.210 (3 s ago)
          Old (deleted)  nanny  0        0           3         2026-08-12 06:31:02.210 (2 d ago)
          subscriptions 1, registrations 2
          pushes: made 9, kept from their origin 4, coalesced 1, delivered 7, stored 1, discarded 2 (device offline)

        last changes, with milliseconds since the commit (2 of 2)
          CHANGE  ON  MERGED AT               NOTIFIED  RECEIVED  FETCHED  MERGED
          N2@2    A   06:31:02.520 (2 s ago)  20        40        290      310
          N1@1    A   06:30:56.560 (8 s ago)  -         -         290      310
        """)
  }

  @Test func `an empty dump is reported as empty`() {
    let document: JSON = [
      "generatedAt": "2026-08-14T06:31:05.250Z", "zonekit": "0.1.0", "devices": [],
      "cloud": ["zones": [], "subscriptions": [], "registrations": [], "pushes": .null], "traces": [],
    ]
    #expect(
      DumpText(document).text == """
        diagnostics at 2026-08-14T06:31:05.250Z, zonekit 0.1.0

        no devices

        cloud
          no zones
          subscriptions 0, registrations 0
          pushes: counted only while the server runs

        no traces
        """)
  }

  @Test(arguments: [
    (0, "0 ms ago"), (999, "999 ms ago"), (1_000, "1 s ago"), (59_999, "59 s ago"), (60_000, "1 min ago"),
    (3_599_999, "59 min ago"), (3_600_000, "1 h ago"), (86_399_999, "23 h ago"), (86_400_000, "1 d ago"),
    (-1_500, "in 1 s"),
  ])
  func `an age is shown in the largest unit that it fills`(age: Int64, words: String) {
    let document: JSON = [
      "generatedAt": .string(DumpSample.now.iso8601), "devices": [],
      "cloud": [
        "zones": [["name": "Z", "lastCommitAt": .string(DumpSample.now.advanced(byMilliseconds: -age).iso8601)]]
      ],
    ]
    #expect(DumpText(document).text.contains("(\(words))"))
  }
}
