import ZoneKitScenarios
import ZoneKitRecords
import Testing

struct ScenarioParserTests {
  private static let head = "scenario \"s\"\ndevices A, B signed in as nanny\n"

  private static func step(_ line: String) throws -> ScenarioStep? {
    try Scenario(parsing: head + line).steps.first?.step
  }

  private static func error(_ text: String) -> ScenarioError? {
    do throws(ScenarioError) {
      _ = try Scenario(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the runbook's example is read whole`() throws {
    let scenario = try Scenario(
      parsing: """
        scenario "a dropped push is caught up in the foreground"
        devices A, B  signed in as nanny
        A logs feeding bottle volume 120
        drop the next push to B
        wait 2s   # nothing comes
        expect B lacks A's last action
        B comes to the foreground
        expect everyone agrees within 5s
        expect B push received 0, fetches 1
        """)
    let feeding = RecordReference.last(of: "A", kind: "action")
    #expect(scenario.name == "a dropped push is caught up in the foreground")
    #expect(scenario.devices == [ScenarioDevice("A", account: "nanny"), ScenarioDevice("B", account: "nanny")])
    #expect(
      scenario.steps == [
        ScenarioLine(3, .app(.perform(.named(["A"]), "log feeding bottle volume 120"))),
        ScenarioLine(4, .push(.fault(PushTrouble(.drop, .next(1), to: "B")))),
        ScenarioLine(5, .wait(TimeSpan(milliseconds: 2000))),
        ScenarioLine(6, .expect(.lacks(.device("B"), feeding), within: nil)),
        ScenarioLine(7, .life(.foreground(.named(["B"])))),
        ScenarioLine(8, .expect(.everyoneAgrees, within: TimeSpan(milliseconds: 5000))),
        ScenarioLine(
          9,
          .expect(
            .counts("B", [CounterCheck(.pushReceived, .exactly(0)), CounterCheck(.fetches, .exactly(1))]), within: nil)),
      ])
  }

  @Test func `a fault of pushes names receiver, author, zone and how often`() throws {
    var fault = PushTrouble(.delay(milliseconds: 3000), .next(2), to: "B")
    fault.author = "A"
    fault.zone = "Items"
    fault.percent = 30
    let line = "delay the next 2 pushes from A to B by 3s in zone Items in 30% of cases"
    #expect(try Self.step(line) == .push(.fault(fault)))
    #expect(ScenarioStep.push(.fault(fault)).text == line)
    #expect(
      try ScenarioStep(parsing: "drop every push to \"my phone\"", devices: ["my phone"])
        == .push(.fault(PushTrouble(.drop, .every, to: "my phone"))))
  }

  @Test func `its means the device that acts`() throws {
    let step = try Self.step("A edits its last action volume 90")
    #expect(step == .app(.edit("A", .last(of: "A", kind: "action"), "volume 90")))
  }

  @Test func `a repetition holds its steps and their lines`() throws {
    let scenario = try Scenario(parsing: Self.head + "repeat 3 times every 2s\n  A syncs\nend\nwait 1s")
    let sync = ScenarioLine(4, .app(.sync(.named(["A"]))))
    #expect(
      scenario.steps == [
        ScenarioLine(3, .repeated(3, every: TimeSpan(milliseconds: 2000), [sync])),
        ScenarioLine(6, .wait(TimeSpan(milliseconds: 1000))),
      ])
  }

  @Test func `a copy is a device from then on`() throws {
    #expect(throws: Never.self) { try Scenario(parsing: Self.head + "restore a copy of A as C\nC syncs") }
    #expect(Self.error(Self.head + "C syncs")?.line == 3)
  }

  @Test(
    arguments: [
      (
        "drop the next psuh to B", 15,
        "met \"psuh\"; did you mean push? expected one of: a whole number from 1; push or pushes"
      ),
      ("wait 2", 6, "met \"2\"; expected a length of time, such as 250ms, 2s or 1h30m"),
      ("kill D", 6, "met \"D\"; expected a device (A, B) or the cloud"),
      (
        "expect everyone agrees within", 30,
        "the line ends too early; expected a length of time, such as 250ms, 2s or 1h30m"
      ),
      ("note \"x", 6, "the quote is not closed; end the text with \""),
      ("end", 1, "there is no repetition to end here"),
      ("set the link of A, up lose 300%", 28, "met \"300%\"; expected a share, such as 30%"),
      (
        "set the link of A, up delay 2s to", 34,
        "the line ends too early; expected a length of time, such as 250ms, 2s or 1h30m"
      ),
      ("set the link of A, sideways cut", 20, "met \"sideways\"; expected one of: up; down; push; told"),
      ("delete the zone of account", 20, "met \"account\"; expected a device (A, B) or account NAME"),
      ("the cloud does every save twice in 200% of cases", 36, "met \"200%\"; expected a share, such as 30%"),
      ("devices C signed out", 1, nil),
    ] as [(String, Int, String?)])
  func `an error names the place, the word met and what was expected`(line: String, column: Int, message: String?) {
    let error = Self.error(Self.head + line)
    guard let message else {
      #expect(error == nil)
      return
    }
    #expect(error == ScenarioError(line: 3, column: column, message))
  }

  @Test(arguments: [
    ("", "expected scenario \"NAME\" on the first line"),
    ("wait 2s", "met \"wait\"; expected scenario \"NAME\" on the first line"),
    ("scenario \"s\"", "there is no device; write a line such as: devices A, B signed in as nanny"),
    ("scenario \"s\"\nscenario \"t\"", "a file holds one scenario, and it has a name already"),
    ("scenario \"s\"\ndevices A, A signed out", "device A is declared twice"),
    (
      "scenario \"s\"\ndevices a signed out",
      "\"a\" is no device's name; expected a capital letter, then letters or digits"
    ),
    (head + "wait 1s\nabout \"x\"", "about comes before the first step; move the line up"),
    (head + "repeat 2 times\nwait 1s", "the repetition of line 3 has no end; write end"),
  ])
  func `a file that is not whole is refused with a reason`(text: String, message: String) {
    #expect(Self.error(text)?.message == message)
  }

  @Test func `any text gives a scenario or an error`() {
    var generator = SplitMix64(seed: 7)
    let pieces = [
      "A", "A's", "B", ",", "\"", "\\", "#", "the", "next", "cloud", "push", "expect", "within", "2s", "99999999999d",
      "%",
      "-1", "at", "most", "it's", "its", "last", "\n", "end", "repeat", "times", "é", "record", "field", "x", "every",
    ]
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let line = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }
      let error = Self.error(Self.head + line.joined(separator: " "))
      #expect((error?.line ?? 1) >= 1)
    }
  }
}
