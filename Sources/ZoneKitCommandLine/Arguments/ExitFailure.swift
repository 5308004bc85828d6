/// Why the program ends without having done what was asked: an exit code and a sentence.
struct ExitFailure: Error {
  /// 1: the check failed. 2: bad usage or input. 3: something could not be reached or started.
  let code: Int32
  /// What was wrong, where, and what would be right.
  let message: String

  /// A check that did not hold.
  static func checkFailed(_ message: String) -> ExitFailure { ExitFailure(code: 1, message: message) }
  /// Words or input that are not what they should be.
  static func usage(_ message: String) -> ExitFailure { ExitFailure(code: 2, message: message) }
  /// Something that could not be reached, opened or started.
  static func unavailable(_ message: String) -> ExitFailure { ExitFailure(code: 3, message: message) }
}
