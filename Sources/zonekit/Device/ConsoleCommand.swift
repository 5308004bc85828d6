import NannyAndMe
import Records

/// What can be said to a device at its prompt: words about the device, or the app's own.
enum ConsoleCommand {
  case app(NannyCommand)
  case status
  case sync
  case offline
  case online
  case background
  case foreground
  /// Sets the wall clock to a moment at which it stands; nil lets it run again.
  case clock(WallTime?)
  case help
  case quit

  /// The words about the device.
  static let deviceVerbs = ["status", "sync", "offline", "online", "background", "foreground", "clock", "help", "quit"]

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
      self = .clock(try Self.clock(words.dropFirst()))
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
      case "help": .help
      default: .quit
      }
  }

  private static func clock(_ words: ArraySlice<String>) throws(CommandError) -> WallTime? {
    if words == ["real"] { return nil }
    guard words.count == 1, let time = words.first.flatMap({ WallTime(iso8601: $0) }) else {
      throw CommandError("clock takes a time such as 2026-08-14T06:31:05Z, at which it then stands, or real")
    }
    return time
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
    clock TIME|real
    quit
    """
}
