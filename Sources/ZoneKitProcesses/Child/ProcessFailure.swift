import ZoneKitScenarios
import ZoneKitService

/// An error of a play, a demo or an administration request on real processes.
package struct ProcessFailure: ScenarioRefusal, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Kind: Hashable, Sendable {
    /// A checked condition does not hold.
    case broken
    /// The scenario or command asks for something that cannot be done.
    case refused
    /// The scenario asks for something that only virtual time supports.
    case virtualOnly
    /// A process, a socket or a file cannot be started, reached or read.
    case unavailable
    /// The signal of that number asked this process to end.
    case interrupted(by: Int32)
  }

  /// What kind of failure it is.
  package let kind: Kind
  /// What is wrong, where, and what would be right.
  package let message: String
  /// The step at which the failure happened; nil if it belongs to no step or the step is not known.
  package private(set) var step: Step?

  /// A line of a scenario.
  package struct Step: Hashable, Sendable {
    /// The line number in the file, from 1.
    package let line: Int
    /// The text of the line.
    package let text: String
  }

  private init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// A failure of a checked condition.
  package static func broken(_ message: String) -> ProcessFailure { ProcessFailure(.broken, message) }
  /// A failure because of a request that cannot be carried out.
  package static func refused(_ message: String) -> ProcessFailure { ProcessFailure(.refused, message) }
  /// A failure to start, open, reach or read something.
  package static func unavailable(_ message: String) -> ProcessFailure { ProcessFailure(.unavailable, message) }
  /// The failure of every wait after that signal asked this process to end.
  package static func interrupted(by signal: Int32) -> ProcessFailure {
    ProcessFailure(.interrupted(by: signal), "interrupted")
  }
  /// A failure because of something that only virtual time supports.
  package static func virtualOnly(_ reason: String) -> ProcessFailure {
    ProcessFailure(.virtualOnly, "\(reason); this can only be had in virtual time, leave --processes out")
  }

  /// The same failure with the step at which it happened. A step that the failure already names is kept.
  func at(line: Int, _ text: String) -> ProcessFailure {
    var failure = self
    failure.step = step ?? Step(line: line, text: text)
    return failure
  }

  /// The step and the message on one line.
  package var description: String { (step.map { "line \($0.line): \($0.text): " } ?? "") + message }
}

extension ProcessFailure {
  /// The failure for an error of the device stores.
  init(_ error: StoresError) {
    switch error.kind {
    case .input: self = .refused(error.description)
    case .unavailable: self = .unavailable(error.description)
    }
  }

  /// Runs `work` and converts its errors to this type.
  static func from<Result>(_ work: () throws(StoresError) -> Result) throws(ProcessFailure) -> Result {
    do {
      return try work()
    } catch {
      throw ProcessFailure(error)
    }
  }
}
