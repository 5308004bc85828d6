import Glibc
import ZoneKitDeviceHost

/// Standard output and standard error, written without a buffer and in whole lines.
enum Console {
  /// The outputs in use. A test can replace them.
  @TaskLocal static var output = ConsoleOutput.standard

  /// Writes a line to standard output.
  static func print(_ line: String) { output.print(Array((line + "\n").utf8)) }

  /// Writes a line to standard error.
  static func complain(_ line: String) { output.complain(Array((line + "\n").utf8)) }

  /// Writes a question to standard error, without a line feed.
  static func ask(_ question: String) { output.complain(Array(question.utf8)) }

  /// Writes bytes to standard output.
  static func print(bytes: [UInt8]) { output.print(bytes) }

  /// Whether output may have colours: standard output is a terminal, and `NO_COLOR` is not set (no-color.org).
  static var isColoured: Bool { output.isTerminal && getenv("NO_COLOR") == nil }

  /// The length of the lines of people's text: that of `COLUMNS`, otherwise of the terminal; nil if neither is known.
  static var columns: Int? {
    if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 { return columns }
    var size = winsize()
    guard output.isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes text for people to standard output. Longer lines than `columns` go on in further lines.
  static func show(_ text: String) { print(wrapped(text)) }

  /// Text for people, whose longer lines than `columns` go on in further lines.
  static func wrapped(_ text: String) -> String {
    guard let columns else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.flatMap { String($0).wrapped(within: columns) }.joined(separator: "\n")
  }

  /// Replaces the line of the cursor on standard error, which has to be a terminal.
  static func replaceLine(_ line: String) { output.complain(Array("\r\(line)\u{1B}[K".utf8)) }

  /// Starts a page that replaces the one before: clears a terminal (ECMA-48: CUP, ED), and otherwise prints an empty
  /// line.
  static func startPage() { print(bytes: Array((output.isTerminal ? "\u{1B}[H\u{1B}[2J" : "\n").utf8)) }
}
