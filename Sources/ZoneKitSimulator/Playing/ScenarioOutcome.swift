import ZoneKitTimeline
import ZoneKitScenarios

/// What came of a scenario that was played.
package struct ScenarioOutcome: Sendable {
  /// How it ended.
  package enum End: Hashable, Sendable {
    /// All that had to hold did.
    case held
    /// Something did not hold; nothing was played after that.
    case broken(ScenarioFailure)
    /// A step could not be done; nothing was played after that.
    case impossible(PlayingError)
  }

  /// The scenario's name.
  package var name: String
  /// The steps in the order in which they were done, those of repetitions as often as they were.
  package var steps: [PlayedStep]
  /// How it ended.
  package var end: End
  /// The promises that were broken, in the order in which it was noticed; an expectation that is no promise is not here.
  package var violations: [Violation]
  /// The faults that were asked for and never struck, as their lines say them: a story without them would be the same.
  package var unusedFaults: [String]
  /// The seed that decided what is left to chance.
  package var seed: UInt64
  /// The trace's digest: equal for every play of the same scenario and seed.
  package var digest: String
  /// How many things arrived or fell due.
  package var events: Int
  /// How much virtual time passed, in milliseconds.
  package var milliseconds: Int64
  /// How many steps each process made in all its lives, by the device's name, and the cloud's: what a sweep has to try.
  package var crashSteps: [Place: Int]
  /// All that happened, where it was to be kept.
  package var trace: Trace

  /// Whether all that had to hold did.
  package var isHeld: Bool { end == .held }
}

/// One step that was done.
package struct PlayedStep: Hashable, Sendable {
  /// What came of it.
  package enum Result: Hashable, Sendable {
    /// It was done.
    case done
    /// It had to hold and does.
    case kept
    /// It had to hold and does not; that was seen instead, a line for each device or thing.
    case broken([String])
    /// It could not be done, for that reason, and the scenario is lenient.
    case passedOver(String)
  }

  /// The line of the file.
  package var line: Int
  /// The line's words.
  package var text: String
  /// When it was over, in milliseconds since the beginning.
  package var at: Int64
  /// What came of it.
  package var result: Result
}

/// Something that had to hold and does not.
package struct ScenarioFailure: Hashable, Sendable, CustomStringConvertible {
  /// The line of the file.
  package var line: Int
  /// What had to hold, as the line says it.
  package var expected: String
  /// What was there instead, a line for each device or thing.
  package var seen: [String]
  /// When it was noticed, in milliseconds since the beginning.
  package var at: Int64

  /// The line, what had to hold, and what was there.
  package var description: String {
    (["line \(line): \(expected)"] + seen.map { "  seen: \($0)" }).joined(separator: "\n")
  }
}

/// Why a step cannot be done: the line, its words, and what is wrong with them.
package struct PlayingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the file; 0 for what is said before the first step.
  package var line: Int
  /// The line's words.
  package var text: String
  /// What is wrong, and what would be right.
  package var message: String

  /// An error at that line.
  package init(line: Int, text: String, _ message: String) {
    self.line = line
    self.text = text
    self.message = message
  }

  /// All of it in a line.
  package var description: String { line == 0 ? "\(text): \(message)" : "line \(line): \(text): \(message)" }
}

/// Why a step cannot be done, before anybody said which one it is.
package struct StepRefusal: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension ScenarioOutcome {
  /// A moment in milliseconds since the beginning as people write it, such as `0:01.250`.
  package static func moment(_ milliseconds: Int64) -> String { TimelineWords.moment(milliseconds) }
}
