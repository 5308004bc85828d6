/// Whether a place can do anything, as far as the marks there say.
struct LaneCondition: Hashable, Sendable {
  /// How a line looks.
  enum Look: String, CaseIterable, Hashable, Sendable {
    case running
    case background
    case offline
    case dead
  }

  private var isDead = false
  private var isOffline = false
  /// In the background and not running there: a system may let an app run for a while, until it is suspended.
  private var isInBackground = false

  /// The strongest of the reasons not to do anything.
  var look: Look {
    if isDead { return .dead }
    if isOffline { return .offline }
    return isInBackground ? .background : .running
  }

  /// How a lane begins whose marks are these: before the first start of a process there is none.
  init(before marks: some Sequence<Mark>) {
    isDead = marks.first { $0.kind == .crash || $0.kind == .start }?.kind == .start
  }

  /// Takes in what happened there.
  mutating func take(_ mark: Mark) {
    switch mark.kind {
    case .crash: isDead = true
    case .start: isDead = false
    case .life, .link:
      let words = Self.words(mark.text)
      if words.contains("runs") { isInBackground = false } else { words.forEach { take(word: $0) } }
    case .step, .edit, .merge, .conflict, .sync, .account, .clock, .fault, .push, .commit, .kept, .broken, .fact: break
    }
  }

  private mutating func take(word: String) {
    switch word {
    case "force-quit", "killed", "power-cut", "reboot": isDead = true
    case "background", "suspended": isInBackground = true
    case "foreground": isInBackground = false
    case "offline": isOffline = true
    case "online": isOffline = false
    default: break
    }
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && $0 != "-" }.map(String.init)
  }
}
