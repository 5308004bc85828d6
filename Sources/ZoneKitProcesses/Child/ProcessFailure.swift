import ZoneKitService

/// Why processes do not do what was asked of them.
package struct ProcessFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Kind: Hashable, Sendable {
    /// Something that had to hold does not.
    case broken
    /// The words ask for something that cannot be done.
    case refused
    /// The words ask for something that only virtual time has.
    case virtualOnly
    /// A process, a socket or a file cannot be started, reached or read.
    case unavailable
    /// A signal asked for the end of this process.
    case interrupted
  }

  /// What kind of failure it is.
  package let kind: Kind
  /// What was wrong, where, and what would be right.
  package let message: String
  /// The step at which it happened; nil where it is not known or there is none.
  package private(set) var step: Step?

  /// A line of a scenario.
  package struct Step: Hashable, Sendable {
    /// The line of the file, from 1.
    package let line: Int
    /// What it says.
    package let text: String
  }

  private init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// A check that did not hold.
  package static func broken(_ message: String) -> ProcessFailure { ProcessFailure(.broken, message) }
  /// Something that cannot be done.
  package static func refused(_ message: String) -> ProcessFailure { ProcessFailure(.refused, message) }
  /// Something that could not be reached, opened or started.
  package static func unavailable(_ message: String) -> ProcessFailure { ProcessFailure(.unavailable, message) }
  /// A signal asked for the end of this process.
  package static let interrupted = ProcessFailure(.interrupted, "interrupted")
  /// Something that only virtual time has.
  package static func virtualOnly(_ reason: String) -> ProcessFailure {
    ProcessFailure(.virtualOnly, "\(reason); this can only be had in virtual time, leave --processes out")
  }

  /// The same failure with the step at which it happened. The step that a failure already names stays.
  func at(line: Int, _ text: String) -> ProcessFailure {
    var failure = self
    failure.step = step ?? Step(line: line, text: text)
    return failure
  }

  /// The step and the message, in a line.
  package var description: String { (step.map { "line \($0.line): \($0.text): " } ?? "") + message }
}

extension ProcessFailure {
  /// The failure that an error about stores means here.
  init(_ error: StoresError) {
    switch error.kind {
    case .input: self = .refused(error.description)
    case .unavailable: self = .unavailable(error.description)
    }
  }

  /// Runs `work` and throws its errors as this type.
  static func from<Result>(_ work: () throws(StoresError) -> Result) throws(ProcessFailure) -> Result {
    do {
      return try work()
    } catch {
      throw ProcessFailure(error)
    }
  }
}
