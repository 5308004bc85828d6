import ZoneKitRecords
import ZoneKitService

/// What a shell offers for the last word of an unfinished command.
struct Completion {
  /// A word, and what it means.
  struct Offer: Hashable, Sendable {
    let word: String
    var meaning = ""
  }

  /// The words, in the order of the help.
  private(set) var offers: [Offer] = []
  /// What of the file system comes besides.
  private(set) var paths = ValueKind.Paths.none

  /// The completion of the words after the name of the program, by the tables of those verbs.
  init(of words: [String], verbs: [VerbSpec]) {
    let command = UnfinishedCommand(words, verbs: verbs)
    switch command.place {
    case .verb: offers = verbs.map { Offer(word: $0.name, meaning: $0.summary) }
    case .value(let option, let prefix): add([option.kind], of: command, prefix: prefix)
    case .argument:
      guard let verb = command.verb else { break }
      if command.last.hasPrefix("-") {
        offers = verb.allOptions.map { Offer(word: $0.name, meaning: $0.help) }
      } else {
        add(verb.operandSyntax.kinds(after: command.operands), of: command)
      }
    case .operand: add(command.verb?.operandSyntax.kinds(after: command.operands) ?? [], of: command)
    }
    offers.removeAll { !$0.word.hasPrefix(words.last.map { $0 == "=" ? "" : $0 } ?? "") }
  }

  private mutating func add(_ kinds: [ValueKind], of command: UnfinishedCommand, prefix: String = "") {
    var data = DataDirectory(command.values["--data"] ?? Invocation.usualDataDirectory)
    if data.root.isEmpty { data = DataDirectory(Invocation.usualDataDirectory) }
    for kind in kinds {
      for word in kind.words + kind.names.flatMap({ Self.names($0, in: data) }) {
        let offer = Offer(word: prefix + word)
        if !offers.contains(offer) { offers.append(offer) }
      }
      // A shell completes a path as a word of its own.
      if kind.paths != .none, prefix.isEmpty { paths = kind.paths }
    }
  }

  /// The names of that kind. None is offered of what cannot be read: a shell has no place for an error.
  private static func names(_ names: ValueKind.Names, in data: DataDirectory) -> [String] {
    switch names {
    case .apps: AppTable.allNames
    case .devices: (try? data.deviceNames()) ?? []
    case .zones: (try? data.zoneNames()) ?? []
    case .scenarios: (try? ScenarioCatalogue().names()) ?? []
    case .snapshots: (try? Snapshots(of: data).list().map(\.name)) ?? []
    }
  }
}
