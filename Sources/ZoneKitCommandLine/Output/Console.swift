import Glibc

/// Standard output and standard error, written without a buffer and in whole lines.
enum Console {
  /// The outputs in use. A test can replace them.
  @TaskLocal static var output = ConsoleOutput.standard

  /// Writes a line to standard output.
  static func print(_ line: String) { output.print(Array((line + "\n").utf8)) }

  /// Writes a line to standard error.
  static func complain(_ line: String) { output.complain(Array((line + "\n").utf8)) }

  /// Writes bytes to standard output.
  static func print(bytes: [UInt8]) { output.print(bytes) }

  /// Whether output may have colours: standard output is a terminal, and `NO_COLOR` is not set (no-color.org).
  static var isColoured: Bool { output.isTerminal && getenv("NO_COLOR") == nil }

  /// Starts a page that replaces the one before: clears a terminal (ECMA-48: CUP, ED), and otherwise prints an empty
  /// line.
  static func startPage() { print(bytes: Array((output.isTerminal ? "\u{1B}[H\u{1B}[2J" : "\n").utf8)) }
}
