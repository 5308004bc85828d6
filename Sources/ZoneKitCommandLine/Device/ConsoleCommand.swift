import ZoneKitNannyAndMe
import ZoneKitRecords

/// What can be said to a device at its prompt: words about the device, or the app's own.
enum ConsoleCommand {
  case app(NannyCommand)
  case status
  case sync
  case offline
  case online
  case background
  case foreground
  /// Saving power begins or ends.
  case lowPower(Bool)
  /// The user lets the app run in the background or not.
  case refresh(Bool)
  case forceQuit
  case clock(ClockSetting)
  /// Signs an account in, or none.
  case account(Name?)
  case help
  case quit

  /// The words about the device.
  static let deviceVerbs = [
    "status", "sync", "offline", "online", "background", "foreground", "lowpower", "refresh",
    "forcequit", "clock", "account", "help", "quit",
  ]

  /// Reads one line; the error says what would be right.
  init(parsing line: String) throws(CommandError) {
    let words = line.split(separator: " ").map(String.init)
    guard let first = words.first, Self.deviceVerbs.contains(first) else {
      guard words.first.map(NannyCommand.verbs.contains) ?? true else {
        let known = NannyCommand.verbs + Self.deviceVerbs
        let guess = Suggestion.text(for: words[0], among: known)
        throw CommandError(
          "unknown command \(words[0])\(guess.isEmpty ? "; there are \(known.joined(separator: ", "))" : guess)")
      }
      self = .app(try NannyCommand(parsing: line))
      return
    }
    if first == "clock" {
      self = .clock(try ClockSetting(words: words.dropFirst()))
      return
    }
    if first == "lowpower" || first == "refresh" {
      guard words.count == 2, words[1] == "on" || words[1] == "off" else {
        throw CommandError("\(first) takes one word: on or off")
      }
      self = first == "refresh" ? .refresh(words[1] == "on") : .lowPower(words[1] == "on")
      return
    }
    if first == "account" {
      guard words.count == 2 else { throw CommandError("account takes one word: the name of an account, or none") }
      self = .account(words[1] == "none" ? nil : Name(words[1]))
      return
    }
    guard words.count == 1 else { throw CommandError("\(first) takes no words; \(words[1]) is one too many") }
    self =
      switch first {
      case "status": .status
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

  /// What can be said, one line each.
  static let helpText = """
    profile name "Mia"            profile birth 2026-08-01
    log sleep|diaper KIND|feeding KIND [at TIME] [until TIME] [volume ML]
    start sleep|feeding KIND      stop CATEGORY|ID
    edit ID FIELD VALUE           delete ID
    list [N]                      show ID
    status                        sync
    offline                       online
    background                    foreground
    lowpower on|off               refresh on|off
    forcequit
    clock TIME|+1h|-90s|drift PPM|real
    account USER|none
    quit
    """
}
