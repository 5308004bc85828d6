/// A line on a terminal that shows how far long work is. Where standard error is no terminal, nothing is written.
struct ProgressLine {
  /// How long work takes before it is called long.
  private static let grace = Duration.milliseconds(400)
  /// The time between two pictures.
  private static let pause = Duration.milliseconds(100)
  /// The number of cells of the bar.
  private static let cells = 24

  private let unit: String
  private let total: Int
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var due: ContinuousClock.Instant
  private var isShown = false

  /// The progress of work on `total` things, which `unit` names in the plural.
  init(_ unit: String, of total: Int) {
    (self.unit, self.total) = (unit, total)
    start = clock.now
    due = start + Self.grace
  }

  /// Shows that so many things are done, and a remark about them.
  mutating func show(_ done: Int, _ remark: String = "") {
    let now = clock.now
    guard Console.output.isErrorTerminal, now >= due else { return }
    due = now + Self.pause
    isShown = true
    let text = Self.text(done, of: total, unit, remark, after: now - start)
    Console.replaceLine(String(text.prefix(max(1, (Console.columns ?? 100) - 1))))
  }

  /// Takes the line away, before another line is written or when the work is over.
  mutating func clear() {
    guard isShown else { return }
    isShown = false
    Console.replaceLine("")
  }

  /// The bar, the count, the rate and the time that the rest takes at that rate.
  static func text(_ done: Int, of total: Int, _ unit: String, _ remark: String, after time: Duration) -> String {
    let full = total == 0 ? cells : min(cells, done * cells / total)
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: cells - full)
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Double(done) / seconds : 0
    var parts = ["\(done) of \(total) \(unit)"]
    if rate > 0 {
      // A rate below ten has a digit behind the point.
      let tenths = Int((rate * 10).rounded())
      parts.append(rate < 10 ? "\(tenths / 10).\(tenths % 10) a second" : "\(Int(rate.rounded())) a second")
      parts.append("\(Self.rest(Int((Double(total - done) / rate).rounded(.up)))) left")
    }
    if !remark.isEmpty { parts.append(remark) }
    return "[\(bar)] " + parts.joined(separator: ", ")
  }

  private static func rest(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : seconds < 6_000 ? "\((seconds + 59) / 60) min" : "\((seconds + 3_599) / 3_600) h"
  }
}
