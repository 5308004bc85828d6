import Glibc
import ZoneKitCEdit

/// A line editor with history on the terminal of this process, over libedit. Its owner passes the bytes that the terminal
/// sends, and prints through it while the prompt is shown.
///
/// The terminal is in raw mode only while the prompt is shown.
package final class LineEditor {
  /// Called with each line, without its line feed. The prompt is not shown any more then.
  package var onLine: ((String) -> Void)?
  /// Called when the user ends the input.
  package var onEnd: (() -> Void)?
  /// Whether the prompt is shown, and a line can be typed.
  package private(set) var isShown = false

  /// The number of lines that the history keeps.
  private static let historySize: Int32 = 1_000
  private static let endOfInput = CChar(4)

  private let editor: OpaquePointer
  private let history: OpaquePointer?
  private let promptText: UnsafeMutablePointer<CChar>
  /// The width of the prompt in columns.
  private let promptWidth: Int
  /// The bytes of the terminal that were not read yet.
  private var waiting: [UInt8] = []

  /// An editor that shows that prompt. Nil if the terminal cannot be used.
  package init?(prompt: String) {
    // The terminal's bytes are UTF-8, whatever the locale of the environment is.
    if setlocale(LC_CTYPE, "") == nil || String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    guard let editor = zonekit_edit_new("zonekit"), let text = strdup(prompt) else { return nil }
    self.editor = editor
    promptText = text
    promptWidth = prompt.count
    zonekit_edit_use_emacs_keys(editor)
    history = zonekit_history_new(editor, Self.historySize)
    zonekit_edit_set_client(editor, Unmanaged.passUnretained(self).toOpaque())
    zonekit_edit_set_prompt(editor) { LineEditor.of($0)?.promptText }
    zonekit_edit_set_reader(editor) { LineEditor.of($0)?.next($1) ?? -1 }
  }

  deinit {
    hide()
    el_end(editor)
    if let history { history_end(history) }
    free(promptText)
  }

  private static func of(_ editor: OpaquePointer?) -> LineEditor? {
    guard let editor, let client = zonekit_edit_client(editor) else { return nil }
    return Unmanaged<LineEditor>.fromOpaque(client).takeUnretainedValue()
  }

  // MARK: The prompt

  /// Shows the prompt. Bytes that came in the meantime are read.
  package func show() {
    guard !isShown else { return }
    isShown = true
    el_resize(editor)
    zonekit_edit_set_unbuffered(editor, 1)
    read()
  }

  /// Leaves the line and gives the terminal its usual mode.
  package func hide() {
    guard isShown else { return }
    isShown = false
    zonekit_edit_set_unbuffered(editor, 0)
  }

  /// Writes lines above the line that is being typed, which is shown again below them.
  package func print(_ bytes: [UInt8]) {
    guard isShown else { return write(bytes) }
    let rows = cursorRow
    write(Array("\r\(rows > 0 ? "\u{1B}[\(rows)A" : "")\u{1B}[J".utf8) + bytes)
    el_resize(editor)
    zonekit_edit_refresh(editor)
  }

  /// The row of the cursor, counted from that of the prompt.
  private var cursorRow: Int {
    guard let line = el_line(editor)?.pointee, let start = line.buffer, let cursor = line.cursor else { return 0 }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 0 }
    let typed = UnsafeRawBufferPointer(start: start, count: cursor - start)
    return (promptWidth + String(decoding: typed, as: UTF8.self).count) / Int(size.ws_col)
  }

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  // MARK: Input

  /// Bytes of the terminal arrived.
  package func receive(_ bytes: UnsafeRawBufferPointer) {
    waiting += bytes
    read()
  }

  /// Reads what is there, up to the end of a line.
  private func read() {
    while isShown, character(at: 0) != nil {
      let before = waiting.count
      var count: Int32 = 0
      let text = el_gets(editor, &count)
      guard let text, count > 0 else {
        if waiting.count == before { return }
        continue
      }
      let last = text[Int(count) - 1]
      if count == 1, last == Self.endOfInput { return ended() }
      if last == CChar(10) || last == CChar(13) { take(text, count: Int(count) - 1) }
      if waiting.count == before { return }
    }
  }

  private func take(_ text: UnsafePointer<CChar>, count: Int) {
    let line = String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    if let history, !line.allSatisfy(\.isWhitespace) { zonekit_history_add(history, line) }
    hide()
    onLine?(line)
  }

  private func ended() {
    hide()
    write([UInt8(ascii: "\n")])
    onEnd?()
  }

  /// Gives libedit the next character. Without one it goes back to its caller.
  private func next(_ place: UnsafeMutablePointer<wchar_t>?) -> Int32 {
    guard let (scalar, length) = character(at: 0), let place else {
      errno = EAGAIN
      return -1
    }
    waiting.removeFirst(length)
    place.pointee = wchar_t(bitPattern: scalar.value)
    return 1
  }

  /// The character that begins there, with its length in bytes; nil if it is not complete. A byte that begins none is one
  /// itself.
  private func character(at start: Int) -> (Unicode.Scalar, length: Int)? {
    guard start < waiting.count else { return nil }
    let length = max(1, (~waiting[start]).leadingZeroBitCount)
    guard length > 1 else { return (Unicode.Scalar(waiting[start]), 1) }
    let bytes = waiting[start...].prefix(length)
    if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first { return (scalar, length) }
    let isCut = bytes.count < length && bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 } && length <= 4
    return isCut ? nil : ("\u{FFFD}", 1)
  }
}
