import ZoneKitRecords

/// What may stand at a place of a command, as far as a shell can offer it.
struct ValueKind: Hashable, Sendable {
  /// Names that a data directory or the program has.
  enum Names: Hashable, Sendable {
    case apps
    case devices
    case zones
    case scenarios
    case snapshots
  }

  /// What of the file system a shell offers.
  enum Paths: String, Hashable, Sendable {
    case none
    case folders
    case files
    case commands
  }

  /// Fixed words.
  var words: [String] = []
  /// Names that are looked up when they are asked for.
  var names: [Names] = []
  /// The paths.
  var paths = Paths.none

  /// Any text.
  static let free = ValueKind()
  /// A file.
  static let file = ValueKind(paths: .files)
  /// A name of that kind.
  static func name(_ names: Names) -> ValueKind { ValueKind(names: [names]) }
  /// One of those words.
  static func word(_ words: [String]) -> ValueKind { ValueKind(words: words) }

  /// An environment of a container.
  static let environment = word(Environment.allCases.map(\.rawValue))

  /// What a placeholder of the help, such as `FILE.sql|FOLDER|none`, stands for: `meanings` has the kinds of words that mean
  /// different things in different verbs, such as `NAME`. Words in lower case stand for themselves.
  init(placeholder: String, meanings: [String: ValueKind] = [:]) {
    for part in placeholder.split(separator: "|").map(String.init) {
      let kind = meanings[part] ?? Self.usual(part)
      words += kind.words
      names += kind.names
      if kind.paths != .none { paths = paths == .files ? .files : kind.paths }
    }
  }

  private init(words: [String] = [], names: [Names] = [], paths: Paths = .none) {
    self.words = words
    self.names = names
    self.paths = paths
  }

  private static func usual(_ part: String) -> ValueKind {
    switch part {
    case "APP": .name(.apps)
    case "DEVICE": .name(.devices)
    case "FOLDER", "DIR": ValueKind(paths: .folders)
    case "COMMAND": ValueKind(paths: .commands)
    case "SCENARIO": ValueKind(names: [.scenarios], paths: .files)
    case _ where part.hasPrefix("FILE") || part.hasSuffix(".json"): .file
    case _ where part == part.lowercased(): .word([part])
    default: .free
    }
  }
}
