import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService

/// Prints a device's events and answers as text or as JSON.
struct DevicePrinter {
  let device: String
  let wantsJSON: Bool
  /// Whether a prompt is printed, because commands are typed at a terminal.
  let isInteractive: Bool

  func print(_ event: DeviceEvent) {
    let now = SystemClock.wall
    Console.print(wantsJSON ? event.json(at: now, device: device) : event.line(at: now))
  }

  /// Prints the answer to a command.
  func answer(_ command: String, _ members: [JSON.Member], lines: [String]) {
    answer(command, { members }, lines: { lines })
  }

  /// Prints the answer to a command, as lines or as one JSON object. Only the printed form is made.
  func answer(_ command: String, _ members: () -> [JSON.Member], lines: () -> [String]) {
    guard wantsJSON else {
      for line in lines() { Console.print(line) }
      return
    }
    let head = [
      JSON.Member("event", "answer"), JSON.Member("at", .string(SystemClock.wall.iso8601)),
      JSON.Member("device", .string(device)), JSON.Member("command", .string(command)),
    ]
    Console.print(JSON.object(head + members()).text())
  }

  /// Prints that a command failed. It goes to standard output, because the device continues.
  func refuse(_ command: String, _ message: String) {
    guard wantsJSON else { return Console.print("error: \(message)") }
    let event: JSON = [
      "event": "error", "at": .string(SystemClock.wall.iso8601), "device": .string(device), "command": .string(command),
      "message": .string(message),
    ]
    Console.print(event.text())
  }

  /// Prints what was not sent at the end of the device: on standard output if it should have been sent, otherwise as a
  /// remark on standard error.
  func finish(_ outcome: DeviceEnding.Outcome) {
    guard let text = outcome.text else { return }
    var line = text
    if wantsJSON {
      let members: [(String, JSON)] = [
        ("edits", .integer(Int64(outcome.edits))), ("photos", .integer(Int64(outcome.photos))),
        ("reason", .string(outcome.reason)),
      ]
      line = DeviceEvent("unsent", members, text).json(at: SystemClock.wall, device: device)
    }
    if outcome.isExpected { Console.complain(line) } else { Console.print(line) }
  }

  func prompt() {
    if isInteractive { Console.print(bytes: Array("\(device)> ".utf8)) }
  }
}
