import ZoneKitRecords

/// The result of one step of the demo.
package struct DemoStep {
  /// What the step shows.
  let title: String
  /// What was observed.
  let detail: String
  /// Whether the observation is as expected.
  let held: Bool
  /// When the step ended, in milliseconds since the start of the demo.
  let at: Double

  /// The step as a line for a terminal.
  package func line(isColoured: Bool) -> String {
    let mark = held ? "ok  " : "FAIL"
    let colour = held ? "\u{1B}[32m" : "\u{1B}[31m"
    let shown = isColoured ? "\(colour)\(mark)\u{1B}[0m" : mark
    let time = Self.text(at)
    let padded = String(repeating: " ", count: max(0, 9 - time.count)) + time
    return "\(padded)  \(shown)  \(title)" + (detail.isEmpty ? "" : "\n                 \(detail)")
  }

  /// The step as one line of JSON.
  package var json: String {
    JSON.object([
      JSON.Member("event", "step"), JSON.Member("title", .string(title)), JSON.Member("held", .bool(held)),
      JSON.Member("detail", .string(detail)), JSON.Member("atMilliseconds", .number((at * 1000).rounded() / 1000)),
    ]).text()
  }

  /// A time in milliseconds with one decimal.
  package static func text(_ milliseconds: Double) -> String {
    let tenths = Int64((milliseconds * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) ms"
  }
}
