import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

private func lines(_ actions: [BabyAction], of log: [BabyAction]? = nil, now: WallTime = morning) -> [String] {
  NannyAnswer.actions(actions, ActionTotals(of: log ?? actions)).lines(now: now)
}

struct NannyAnswerTests {
  @Test func `a list has a header, one aligned line an action, and the totals`() throws {
    var device = try TestDevice()
    try device.importing(SampleFile.text())
    #expect(
      try device.run("list").lines(now: morning) == [
        "ID        WHEN (UTC)        WHAT            HOW LONG        HOW MUCH           WHERE",
        "8A60B38A  2026-08-14 05:35  sleep           running 25 min",
        "10B650D5  2026-08-14 05:00  feeding bottle  20 min          140 ml breastMilk",
        "3E4CDC2D  2026-08-14 04:30  diaper pee                                         Spielplatz 🌳",
        "0CB1E29C  2026-08-14 03:00  sleep           1 h 20 min",
        "2 sleep (80 min), 1 diaper, 1 feeding (140 ml), 1 running",
      ])
  }

  @Test func `a column without values is left out`() {
    #expect(
      lines([.sleep(1, from: 0, to: 9)]) == [
        "ID        WHEN (UTC)        WHAT   HOW LONG", "00000001  2026-08-14 06:00  sleep  9 min",
        "1 sleep (9 min), 0 diaper, 0 feeding (0 ml), 0 running",
      ])
  }

  @Test func `a list that is cut reports how much is left out`() throws {
    let log: [BabyAction] = [.sleep(2, from: 10, to: 19), .sleep(1, from: 0, to: 9)]
    var device = try TestDevice(log)
    let answer = try device.run("list 1")
    #expect(answer == .actions([log[0]], ActionTotals(of: log)))
    #expect(answer.lines(now: morning).count == 4)
    #expect(answer.lines(now: morning)[2] == "not shown: 1 more; `list 2` shows all")
  }

  @Test func `an empty log explains how to begin`() {
    #expect(lines([]) == ["nothing is logged yet; `log diaper pee` or `start sleep` begins"])
  }

  @Test func `lengths are those between the minutes shown, and never negative`() {
    let start = morning.advanced(byMilliseconds: 59_999)
    var sleep = BabyAction.sleep(1, from: 0)
    sleep.startDate = start
    #expect(lines([sleep], now: .minute(1))[1].hasSuffix("  running 1 min"))
    #expect(lines([sleep], now: .minute(-5))[1].hasSuffix("  running 0 min"))
    sleep.endDate = .minute(120)
    #expect(lines([sleep])[1].hasSuffix("  2 h 0 min"))
  }

  @Test(arguments: ["a\nb", "a\u{1B}b", "a\u{2028}b", "a\r\nb"])
  func `a place with a line break or a control character stays on its line`(place: String) throws {
    var sleep = BabyAction.sleep(1, from: 0, to: 9)
    sleep.placename = place
    let blanks = String(repeating: " ", count: place.unicodeScalars.count - 2)
    #expect(lines([sleep])[1] == "00000001  2026-08-14 06:00  sleep  9 min     a\(blanks)b")
    #expect(NannyAnswer.action(sleep).lines(now: morning).contains("placename a\(blanks)b"))
  }
}
