import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitStorage

/// Plays a scenario on processes as a demo: prints a chapter for each of its notes, with what was typed, seen and measured.
struct DemoRun {
  private let wantsJSON: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  /// The title of the chapter in progress; nil before the first.
  private var title: String?
  /// What was typed and seen in the chapter so far.
  private var lines: [String] = []
  /// The times from a save on a device until another one shows it, in milliseconds.
  private(set) var latencies: [Double] = []

  /// A demo that starts now.
  init(wantsJSON: Bool) {
    self.wantsJSON = wantsJSON
    start = clock.now
  }

  /// A step was played. A note ends a chapter and begins the next one.
  mutating func add(_ report: ProcessPlayer.Report) {
    switch report.step {
    case .note(let next):
      end()
      title = next
    // Waits and measurements only prepare what is shown; the lines of a repetition were added.
    case .wait, .countFromHere, .measureFromHere, .repeated: return
    case .expect(let expectation, _):
      if let latency = report.latency { latencies.append(latency) }
      lines.append("✓ " + expectation.text + (report.latency.map { ", after \(Self.text($0))" } ?? ""))
    default: lines.append(report.step.text + (report.count > 1 ? " (\(report.count) times)" : ""))
    }
  }

  /// The last chapter ends: as it should, or with that failure.
  mutating func end(_ failure: ProcessFailure? = nil) {
    guard title != nil || failure != nil else { return }
    let name = title ?? "the start"
    show(failure.map { "\(name): \($0)" } ?? name, held: failure == nil)
    (title, lines) = (nil, [])
  }

  private func show(_ title: String, held: Bool) {
    let at = (clock.now - start) / .milliseconds(1)
    if wantsJSON {
      let chapter: JSON = [
        "event": "step", "title": .string(title), "held": .bool(held), "detail": .string(lines.joined(separator: "; ")),
        "atMilliseconds": .number((at * 1000).rounded() / 1000),
      ]
      return Console.print(chapter.text())
    }
    let (mark, colour) = held ? ("ok  ", "\u{1B}[32m") : ("FAIL", "\u{1B}[31m")
    let time = Self.text(at)
    let shown = Console.isColoured ? "\(colour)\(mark)\u{1B}[0m" : mark
    Console.print(String(repeating: " ", count: max(0, 9 - time.count)) + "\(time)  \(shown)  \(title)")
    for line in lines { Console.print(String(repeating: " ", count: 17) + line) }
  }

  /// A time in milliseconds with one decimal.
  static func text(_ milliseconds: Double) -> String {
    let tenths = Int64((milliseconds * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) ms"
  }
}
