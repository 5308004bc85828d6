import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

@testable import ZoneKitCommandLine

struct ConsoleCommandTests {
  private static let verbs = ["save", "list"]

  private static func parse(_ line: String) throws(AppRefusal) -> ConsoleCommand {
    try ConsoleCommand(parsing: line, appVerbs: verbs)
  }

  private static let commands: [(String, ConsoleCommand)] = [
    ("status", .status()), ("status --json", .status(asJSON: true)), ("sync", .sync), ("offline", .offline),
    ("online", .online), ("background", .background),
    ("foreground", .foreground), ("lowpower on", .lowPower(true)), ("lowpower off", .lowPower(false)),
    ("refresh on", .refresh(true)), ("refresh off", .refresh(false)), ("forcequit", .forceQuit),
    ("clock real", .clock(.right)), ("clock +1h", .clock(.moved(3_600_000))), ("clock -90s", .clock(.moved(-90_000))),
    ("clock +250ms", .clock(.moved(250))), ("clock drift -40", .clock(.drifting(-40))),
    ("clock 1970-01-01T00:00:01Z", .clock(.standing(WallTime(milliseconds: 1_000)))), ("account none", .account(nil)),
    ("timezone Europe/Zurich", .timeZone("Europe/Zurich")), ("account tom", .account("tom")), ("help", .help),
    ("quit", .quit),
  ]

  @Test(arguments: commands.indices)
  func `a command for the device is read`(index: Int) throws {
    #expect(try Self.parse(Self.commands[index].0) == Self.commands[index].1)
  }

  @Test func `every verb for the device is in the help and is read`() throws {
    let help = ConsoleCommand.help(for: AppTable.standard)
    let read = Set(Self.commands.map { $0.0.split(separator: " ")[0] })
    let verbs = ConsoleCommand.deviceVerbs(hasTables: false)
    for verb in verbs where verb != "help" { #expect(help.contains(verb)) }
    #expect(read == Set(verbs.map { $0[...] }))
  }

  @Test func `any other line goes to the app as it is`() throws {
    #expect(try Self.parse("save i1  a \"x y\"") == .app("save i1  a \"x y\""))
  }

  @Test(arguments: [
    ("lst", "unknown command lst; did you mean list?"),
    ("frobnicate", "unknown command frobnicate; there are save, list, status, sync, "),
    ("sync now", "sync takes no words; now is one too many"),
    ("lowpower", "lowpower takes one word: on or off"), ("refresh maybe", "refresh takes one word: on or off"),
    ("account", "account takes one word: the name of an account, or none"),
    ("clock drift 1000001", "clock drift takes millionths from -1000000 to 1000000, not 1000001"),
    ("clock", "clock takes a time such as "), ("clock tomorrow", "clock takes a time such as "),
  ])
  func `a wrong command is refused with what would be right`(line: String, message: String) {
    let refusal = #expect(throws: AppRefusal.self) { try Self.parse(line) }
    #expect(refusal?.description.hasPrefix(message) == true)
  }
}
