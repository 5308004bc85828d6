import ZoneKitDeviceHost
import ZoneKitLineEditor
import ZoneKitRecords
import ZoneKitService

/// Prints a device's events and answers as text or as JSON. While a line is typed at the prompt, it prints above it.
final class DevicePrinter {
  let device: String
  let wantsJSON: Bool
  /// The editor of the prompt; nil if commands are not typed at a terminal.
  private let editor: LineEditor?
  /// Whether the cursor is behind a line about progress, which the next line replaces.
  private var isProgressShown = false

  init(device: String, wantsJSON: Bool, editor: LineEditor? = nil) {
    self.device = device
    self.wantsJSON = wantsJSON
    self.editor = editor
  }

  func print(_ event: DeviceEvent) {
    let now = SystemClock.wall
    put(wantsJSON ? event.json(at: now, device: device) : event.line(at: now))
  }

  /// Prints the answer to a command.
  func answer(_ command: String, _ members: [JSON.Member], lines: [String]) {
    answer(command, { members }, lines: { lines })
  }

  /// Prints the answer to a command, as lines or as one JSON object. Only the printed form is made.
  func answer(_ command: String, _ members: () -> [JSON.Member], lines: () -> [String]) {
    guard wantsJSON else {
      for line in lines() { put(line) }
      return
    }
    let head = [
      JSON.Member("event", "answer"), JSON.Member("at", .string(SystemClock.wall.iso8601)),
      JSON.Member("device", .string(device)), JSON.Member("command", .string(command)),
    ]
    put(JSON.object(head + members()).text())
  }

  /// Prints that a command failed. It goes to standard output, because the device continues.
  func refuse(_ command: String, _ message: String) {
    guard wantsJSON else { return put("error: \(message)") }
    let event: JSON = [
      "event": "error", "at": .string(SystemClock.wall.iso8601), "device": .string(device), "command": .string(command),
      "message": .string(message),
    ]
    put(event.text())
  }

  /// Prints what was not sent at the end of the device: on standard output if it should have been sent, otherwise as a
  /// remark on standard error.
  func finish(_ outcome: DeviceEnding.Outcome) {
    guard let text = outcome.text else { return }
    var line = text
    if wantsJSON {
      let members: [(String, JSON)] = [
        ("edits", .integer(Int64(outcome.edits))), ("photos", .integer(Int64(outcome.photos))),
        ("reason", .string(outcome.reason)), ("refused", .integer(Int64(outcome.refused))),
        ("refusal", outcome.refusal.map { .string($0) } ?? .null),
      ]
      line = DeviceEvent("unsent", members, text).json(at: SystemClock.wall, device: device)
    }
    if outcome.isExpected { Console.complain(line) } else { write(line) }
  }

  /// Tells a user at a terminal that the device goes on to send edits before it ends.
  func lingers(for edits: Int) {
    guard Console.output.isErrorTerminal, !wantsJSON else { return }
    Console.complain("sending \(edits.counted("edit")); Ctrl-C does not wait for that")
  }

  /// Shows the prompt.
  func prompt() { editor?.show() }

  /// Leaves the prompt for good.
  func close() { editor?.hide() }

  // MARK: Progress

  /// The time between two lines about progress, in milliseconds.
  var progressPause: Int64 { isProgressInPlace ? 100 : 1_000 }

  /// Whether a line about progress replaces the one before.
  private var isProgressInPlace: Bool { Console.output.isErrorTerminal && editor?.isShown != true }

  /// Prints a line about progress to standard error.
  func progress(_ line: String) {
    guard isProgressInPlace else {
      if editor?.isShown == true { return put(line) }
      return Console.complain(line)
    }
    Console.replaceLine(String(line.prefix((Console.columns ?? 80) - 1)))
    isProgressShown = true
  }

  private func put(_ line: String) {
    write(wantsJSON ? line : Console.wrapped(line))
  }

  /// Prints a line as it is.
  private func write(_ line: String) {
    if isProgressShown { Console.replaceLine("") }
    isProgressShown = false
    guard let editor, editor.isShown else { return Console.print(line) }
    editor.print(Array((line + "\n").utf8))
  }
}
