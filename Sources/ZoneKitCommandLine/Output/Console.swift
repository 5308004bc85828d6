import Glibc

/// Standard output and standard error, written at once and in whole lines.
enum Console {
  /// Writes a line to standard output.
  static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func complain(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

  /// Writes bytes as they are to standard output.
  static func print(bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

  /// Whether a person reads standard output in colour: a terminal, and `NO_COLOR` is not set (no-color.org).
  static var isColoured: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

  /// Begins a page that takes the place of the one before: an empty screen on a terminal (ECMA-48: CUP, ED), elsewhere an
  /// empty line.
  static func startPage() { write(isatty(STDOUT_FILENO) == 1 ? "\u{1B}[H\u{1B}[2J" : "\n", to: STDOUT_FILENO) }

  private static func write(_ text: String, to file: Int32) { write(Array(text.utf8), to: file) }

  /// A reader that has gone ends the output, not the program: what it promised to do it does.
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
