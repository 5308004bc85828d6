import Glibc

/// The two outputs of the program.
struct ConsoleOutput: Sendable {
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// Whether standard error is a terminal.
  var isErrorTerminal = false
  /// Writes bytes to standard output.
  let print: @Sendable ([UInt8]) -> Void
  /// Writes bytes to standard error.
  let complain: @Sendable ([UInt8]) -> Void

  /// The outputs of this process.
  static let standard = ConsoleOutput(
    isTerminal: isatty(STDOUT_FILENO) == 1, isErrorTerminal: isatty(STDERR_FILENO) == 1,
    print: { write($0, to: STDOUT_FILENO) },
    complain: { write($0, to: STDERR_FILENO) })

  /// Writes all bytes. If the reader has closed the output, the rest is dropped and the program continues.
  private static func write(_ bytes: [UInt8], to file: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
