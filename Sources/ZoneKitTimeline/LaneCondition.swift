/// The state of a device, the cloud or the gateway, derived from its marks in the trace.
struct LaneCondition: Hashable, Sendable {
  /// The style of the lane's line.
  enum Look: String, CaseIterable, Hashable, Sendable {
    case running
    case background
    case cut
    case offline
    case dead
  }

  private var isDead = false
  private var isOffline = false
  /// Whether a direction of the link passes nothing on.
  private var isCut = false
  /// Whether the app is in the background and has not been woken there by its system.
  private var isInBackground = false

  /// The style for the strongest reason that keeps the place from working.
  var look: Look {
    if isDead { return .dead }
    if isOffline { return .offline }
    if isCut { return .cut }
    return isInBackground ? .background : .running
  }

  /// The state before the first of these marks. The process counts as dead if the first start comes before the first
  /// crash.
  init(before marks: some Sequence<Mark>) {
    isDead = marks.first { $0.kind == .crash || $0.kind == .start }?.kind == .start
  }

  /// Applies a mark.
  mutating func take(_ mark: Mark) {
    switch mark.kind {
    case .crash: isDead = true
    case .start: isDead = false
    case .life, .link:
      let words = Self.words(mark.text)
      if words.contains("up") { isCut = words.contains("cut") || words.contains("clogged") }
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
