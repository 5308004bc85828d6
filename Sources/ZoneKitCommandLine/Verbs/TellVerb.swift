import ZoneKitRecords
import ZoneKitService

/// `zonekit tell`: a command for a running device.
enum TellVerb {
  static let spec = VerbSpec(
    "tell", "DEVICE COMMAND", summary: "carry out a command on a running device, as at its prompt",
    details: """
      The device does what it does when its user types the command, after those that wait there. Its events appear where it
      runs. Exit code 2: the command failed; 3: the device does not run.
      """,
    examples: ["zonekit tell B offline", "zonekit tell A \"log feeding bottle volume 120\""],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    guard let name = words.operands.first else { throw .usage("DEVICE is missing") }
    let line = words.operands.dropFirst().joined(separator: " ")
    guard !line.isEmpty else { throw .usage("COMMAND is missing, such as offline") }
    let data = DataDirectory(words.dataDirectory)
    let folder = try ExitFailure.from { () throws(StoresError) in try data.existingDevice(name) }
    guard let address = ControlClient.address(ofDeviceIn: folder) else {
      throw .unavailable("device \(name) is not running; start it with zonekit device \(name)")
    }
    let answer: JSON
    do {
      answer = try ControlClient.ask(["command": .string(line)], at: address)
    } catch {
      throw .unavailable("\(error)")
    }
    if let error = answer["error"]?.string { throw .input("\(name): \(error)") }
    Console.print(
      words.wantsJSON
        ? JSON.object([
          JSON.Member("event", "told"), JSON.Member("device", .string(name)), JSON.Member("command", .string(line)),
        ]).text() : "\(name): \(line)")
    return 0
  }
}
