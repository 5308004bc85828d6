/// What came of scenarios in the XML that CI systems read as test results.
///
/// The format has no standard; the names here are those of Apache Ant's JUnit task, which the readers have in common.
package struct JUnitReport {
  private let outcomes: [ScenarioOutcome]
  private let seconds: [Double]

  /// A report of those outcomes; `seconds` says how long each took.
  package init(_ outcomes: [ScenarioOutcome], seconds: [Double]) {
    precondition(outcomes.count == seconds.count, "each outcome took some time")
    self.outcomes = outcomes
    self.seconds = seconds
  }

  /// A well-formed document, whatever the texts hold.
  package var document: String {
    let failures = outcomes.count { if case .broken = $0.end { true } else { false } }
    let errors = outcomes.count { if case .impossible = $0.end { true } else { false } }
    let counts =
      #"tests="\#(outcomes.count)" failures="\#(failures)" errors="\#(errors)" time="\#(Self.text(seconds.reduce(0, +)))""#
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(counts)>", #"<testsuite name="scenarios" \#(counts)>"#,
    ]
    for (outcome, seconds) in zip(outcomes, seconds) { lines += Self.lines(outcome, seconds) }
    return (lines + ["</testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func lines(_ outcome: ScenarioOutcome, _ seconds: Double) -> [String] {
    let head = #"<testcase classname="scenarios" name="\#(escaped(outcome.name))" time="\#(text(seconds))""#
    switch outcome.end {
    case .held: return [head + "/>"]
    case .broken(let failure):
      let message = escaped("line \(failure.line): \(failure.expected)")
      return [
        head + ">", #"<failure message="\#(message)">\#(escaped(failure.description))</failure>"#, "</testcase>",
      ]
    case .impossible(let error):
      return [head + ">", #"<error message="\#(escaped(error.description))"/>"#, "</testcase>"]
    }
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { TimelinePicture.escaped(String($0)) }
      .joined(separator: "&#10;")
  }

  /// Seconds with three digits behind the point.
  private static func text(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
