import ZoneKitTimeline

/// Results of scenarios in the XML format that CI systems read as test results.
///
/// The format has no standard. The names are those of Apache Ant's JUnit task, which all readers support.
package struct JUnitReport {
  /// The result of one scenario, and its duration.
  package struct Case: Sendable {
    /// A result of a scenario.
    package enum Result: Hashable, Sendable {
      /// All expectations held.
      case held
      /// An expectation failed: a summary line, and the details.
      case failed(String, details: String)
      /// The scenario cannot be played, for a reason that has to be fixed.
      case impossible(String)
      /// The scenario was not played, which is not an error.
      case skipped(String)
    }

    /// The scenario's name.
    package let name: String
    /// The result.
    package let result: Result
    /// The duration in seconds.
    package let seconds: Double

    /// The result of a scenario of that name.
    package init(_ name: String, _ result: Result, seconds: Double) {
      self.name = name
      self.result = result
      self.seconds = seconds
    }
  }

  private let cases: [Case]

  /// A report of those cases.
  package init(_ cases: [Case]) { self.cases = cases }

  /// A report of those outcomes, with their durations in seconds.
  package init(_ outcomes: [ScenarioOutcome], seconds: [Double]) {
    precondition(outcomes.count == seconds.count, "each outcome took some time")
    cases = zip(outcomes, seconds).map { Case($0.name, Case.Result($0.end), seconds: $1) }
  }

  /// A well-formed XML document for any texts.
  package var document: String {
    let failures = cases.count { if case .failed = $0.result { true } else { false } }
    let errors = cases.count { if case .impossible = $0.result { true } else { false } }
    let skipped = cases.count { if case .skipped = $0.result { true } else { false } }
    let time = Self.text(cases.map(\.seconds).reduce(0, +))
    let counts =
      #"tests="\#(cases.count)" failures="\#(failures)" errors="\#(errors)" skipped="\#(skipped)" time="\#(time)""#
    let lines =
      [
        #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(counts)>",
        #"<testsuite name="scenarios" \#(counts)>"#,
      ] + cases.flatMap(Self.lines) + ["</testsuite>", "</testsuites>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ one: Case) -> [String] {
    let head = #"<testcase classname="scenarios" name="\#(escaped(one.name))" time="\#(text(one.seconds))""#
    switch one.result {
    case .held: return [head + "/>"]
    case .failed(let message, let details):
      return [
        head + ">", #"<failure message="\#(escaped(message))">\#(escaped(details))</failure>"#, "</testcase>",
      ]
    case .impossible(let reason):
      return [head + ">", #"<error message="\#(escaped(reason))"/>"#, "</testcase>"]
    case .skipped(let reason):
      return [head + ">", #"<skipped message="\#(escaped(reason))"/>"#, "</testcase>"]
    }
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { TimelinePicture.escaped(String($0)) }
      .joined(separator: "&#10;")
  }

  /// Seconds with three decimals.
  private static func text(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

extension JUnitReport.Case.Result {
  fileprivate init(_ end: ScenarioOutcome.End) {
    switch end {
    case .held: self = .held
    case .broken(let failure):
      self = .failed("line \(failure.line): \(failure.expected)", details: failure.description)
    case .impossible(let error): self = .impossible(error.description)
    }
  }
}
