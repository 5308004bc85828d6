import ZoneKitDeviceHost
import ZoneKitRecords

/// A command at a device's prompt, for the device and its coordinator or for the app.
enum ConsoleCommand: Equatable {
  /// A command of the app.
  case app(String)
  /// Shows the device's state, as text or as JSON.
  case status(asJSON: Bool = false)
  case sync
  case offline
  case online
  case background
  case foreground
  /// Turns low power mode on or off.
  case lowPower(Bool)
  /// Turns background refresh on or off.
  case refresh(Bool)
  case forceQuit
  case clock(ClockSetting)
  /// Moves the device to the time zone of that name.
  case timeZone(String)
  /// Signs an account in; signs out if nil.
  case account(Name?)
  /// A command for an app whose rows lie in the tables of a server.
  case tables(TableCommand)
  case help
  case quit

  /// The first words of the commands for a device of any app.
  private static let commonVerbs = [
    "status", "sync", "offline", "online", "background", "foreground", "lowpower", "refresh",
    "forcequit", "clock", "timezone", "help", "quit",
  ]

  /// The first words of the commands for a device whose app's cloud is one of tables, or one of zones.
  static func deviceVerbs(hasTables: Bool) -> [String] {
    commonVerbs + (hasTables ? TableCommand.verbs : ["account"])
  }

  /// Parses a line. `verbs` are the first words of the app's commands.
  init(parsing line: String, appVerbs verbs: [String], hasTables: Bool = false) throws(AppRefusal) {
    let words = line.split(separator: " ").map(String.init)
    let deviceVerbs = Self.deviceVerbs(hasTables: hasTables)
    guard let first = words.first, deviceVerbs.contains(first) else {
      guard words.first.map(verbs.contains) ?? true else {
        let known = verbs + deviceVerbs
        let guess = Suggestion.text(for: words[0], among: known)
        throw AppRefusal(
          "unknown command \(words[0])\(guess.isEmpty ? "; there are \(known.joined(separator: ", "))" : guess)")
      }
      self = .app(line)
      return
    }
    switch first {
    case "clock": self = .clock(try ClockSetting(words: words.dropFirst()))
    case "timezone":
      guard words.count == 2 else { throw AppRefusal("timezone takes one word: a time zone such as Europe/Zurich") }
      self = .timeZone(words[1])
    case "lowpower": self = .lowPower(try Self.isOn(words))
    case "refresh": self = .refresh(try Self.isOn(words))
    case "status" where words.count == 2 && words[1] == "--json": self = .status(asJSON: true)
    case "status" where words.count > 1:
      throw AppRefusal("status takes no words but --json, not \(words[1])")
    case "account":
      guard words.count == 2 else { throw AppRefusal("account takes one word: the name of an account, or none") }
      self = .account(words[1] == "none" ? nil : Name(words[1]))
    case _ where hasTables && TableCommand.verbs.contains(first): self = .tables(try TableCommand(parsing: line))
    default:
      guard words.count == 1 else { throw AppRefusal("\(first) takes no words; \(words[1]) is one too many") }
      self = Self.plain(first)
    }
  }

  private static func isOn(_ words: [String]) throws(AppRefusal) -> Bool {
    guard words.count == 2, words[1] == "on" || words[1] == "off" else {
      throw AppRefusal("\(words[0]) takes one word: on or off")
    }
    return words[1] == "on"
  }

  /// The command for one of the `deviceVerbs` without further words.
  private static func plain(_ verb: String) -> ConsoleCommand {
    switch verb {
    case "status": .status()
    case "sync": .sync
    case "offline": .offline
    case "online": .online
    case "background": .background
    case "foreground": .foreground
    case "forcequit": .forceQuit
    case "help": .help
    default: .quit
    }
  }

  /// The help: the app's commands, then those for the device.
  static func help(for app: DeviceApp) -> String {
    (app.commands.help + [deviceHelp, app.hasTables ? TableCommand.help : "account USER|none"]).joined(separator: "\n")
  }

  private static let deviceHelp = """
    status [--json]               sync
    offline                       online
    background                    foreground
    lowpower on|off               refresh on|off
    forcequit
    clock TIME|+1h|-90s|drift PPM|real
    timezone NAME
    quit
    """
}
