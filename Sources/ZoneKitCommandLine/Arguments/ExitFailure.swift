/// The exit code and message with which the program ends after a failure.
struct ExitFailure: Error {
  /// 1: a check failed. 2: wrong usage or input. 3: something could not be reached or started.
  let code: Int32
  /// What is wrong, where, and what would be right.
  let message: String
  /// The signal that came before the work was done; nil if none did. The process then ends by it.
  var signal: Int32?
  /// Whether the words of the command are wrong, so that its help is of use.
  var isUsage = false

  /// A failed check.
  static func checkFailed(_ message: String) -> ExitFailure { ExitFailure(code: 1, message: message) }
  /// Wrong words of a command.
  static func usage(_ message: String) -> ExitFailure { ExitFailure(code: 2, message: message, isUsage: true) }
  /// Wrong input: a file, a folder, or the name of something that is not there.
  static func input(_ message: String) -> ExitFailure { ExitFailure(code: 2, message: message) }
  /// Work that a signal ended.
  static func interrupted(by signal: Int32, _ message: String) -> ExitFailure {
    ExitFailure(code: 3, message: message, signal: signal)
  }
  /// Something that could not be reached, opened or started.
  static func unavailable(_ message: String) -> ExitFailure { ExitFailure(code: 3, message: message) }
}
