import ZoneKitRecords

/// One step of the demo's timeline.
package struct DemoStep {
  /// What was to be seen.
  let title: String
  /// What was seen.
  let detail: String
  /// Whether it held.
  let held: Bool
  /// When it was over, in milliseconds since the story began.
  let at: Double

  /// The step as a line for people.
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

  /// A time in milliseconds with a digit behind the point.
  package static func text(_ milliseconds: Double) -> String {
    let tenths = Int64((milliseconds * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) ms"
  }
}
