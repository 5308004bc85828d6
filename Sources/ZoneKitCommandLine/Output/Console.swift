import Glibc

/// Standard output and standard error, written at once and in whole lines.
enum Console {
  /// The outputs that are written to: those of the process, unless a test sets others for what it runs.
  @TaskLocal static var output = ConsoleOutput.standard

  /// Writes a line to standard output.
  static func print(_ line: String) { output.print(Array((line + "\n").utf8)) }

  /// Writes a line to standard error.
  static func complain(_ line: String) { output.complain(Array((line + "\n").utf8)) }

  /// Writes bytes as they are to standard output.
  static func print(bytes: [UInt8]) { output.print(bytes) }

  /// Whether a person reads standard output in colour: a terminal, and `NO_COLOR` is not set (no-color.org).
  static var isColoured: Bool { output.isTerminal && getenv("NO_COLOR") == nil }

  /// Begins a page that takes the place of the one before: an empty screen on a terminal (ECMA-48: CUP, ED), elsewhere an
  /// empty line.
  static func startPage() { print(bytes: Array((output.isTerminal ? "\u{1B}[H\u{1B}[2J" : "\n").utf8)) }
}
