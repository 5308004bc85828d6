import ZoneKitScenarios
import ZoneKitSync
import ZoneKitTimeline

/// The outcome of a scenario.
package struct ScenarioOutcome: Sendable {
  /// The end of a scenario.
  package enum End: Hashable, Sendable {
    /// All expectations held.
    case held
    /// An expectation failed, which ended the play.
    case broken(ScenarioFailure)
    /// A step could not be done, which ended the play.
    case impossible(PlayingError)
  }

  /// The scenario's name.
  package var name: String
  /// The steps in the order in which they were done, including repetitions.
  package var steps: [PlayedStep]
  /// The end.
  package var end: End
  /// The violated invariants, in the order in which they were found. Failed expectations are included only if they
  /// check an invariant.
  package var violations: [Violation]
  /// The faults that were added and never hit, by their lines. The scenario would be the same without them.
  package var unusedFaults: [String]
  /// The seed of the random decisions.
  package var seed: UInt64
  /// The digest of the trace, equal for every play of the same scenario and seed.
  package var digest: String
  /// The number of events.
  package var events: Int
  /// The virtual time that passed, in milliseconds.
  package var milliseconds: Int64
  /// The number of steps of each device's processes, and of the cloud's, for a sweep.
  package var crashSteps: [Place: Int]
  /// The commands that users gave.
  package var coverage: Coverage
  /// The transitions that made the content of each device's disk, oldest first, by the device's name; empty unless they
  /// were kept.
  package var histories: [String: [DeviceTransition]]
  /// The trace, with its events if they were kept.
  package var trace: Trace

  /// Whether all expectations held.
  package var isHeld: Bool { end == .held }
}

/// A step that was done.
package struct PlayedStep: Hashable, Sendable {
  /// The result of a step.
  package enum Result: Hashable, Sendable {
    /// The step was done.
    case done
    /// The expectation held.
    case kept
    /// The expectation failed. The differences are one line for each device or item.
    case broken([String])
    /// The step could not be done for that reason, and was skipped because the scenario is lenient.
    case passedOver(String)
  }

  /// The line number in the file.
  package var line: Int
  /// The text of the line.
  package var text: String
  /// When the step ended, in milliseconds since the start.
  package var at: Int64
  /// The result.
  package var result: Result
}

/// A failed expectation.
package struct ScenarioFailure: Hashable, Sendable, CustomStringConvertible {
  /// The line number in the file.
  package var line: Int
  /// The text of the expectation.
  package var expected: String
  /// The differences, one line for each device or item.
  package var seen: [String]
  /// When the failure was found, in milliseconds since the start.
  package var at: Int64

  /// The line, the expectation and the differences.
  package var description: String {
    (["line \(line): \(expected)"] + seen.map { "  seen: \($0)" }).joined(separator: "\n")
  }
}

/// The error of a step that cannot be done.
package struct PlayingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line number in the file; 0 for the part before the first step.
  package var line: Int
  /// The text of the line.
  package var text: String
  /// What is wrong, and what would be right.
  package var message: String

  /// An error at that line.
  package init(line: Int, text: String, _ message: String) {
    self.line = line
    self.text = text
    self.message = message
  }

  /// The line, its text and the message.
  package var description: String { line == 0 ? "\(text): \(message)" : "line \(line): \(text): \(message)" }
}

/// The reason why a step cannot be done, without the step itself.
package struct StepRefusal: ScenarioRefusal {
  let message: String

  init(_ message: String) { self.message = message }

  package static func refused(_ reason: String) -> StepRefusal { StepRefusal(reason) }
}

extension ScenarioOutcome {
  /// A time in milliseconds since the start as text, such as `0:01.250`.
  package static func moment(_ milliseconds: Int64) -> String { TimelineWords.moment(milliseconds) }
}
