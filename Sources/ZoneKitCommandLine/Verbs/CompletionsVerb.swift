import ZoneKitService

/// `zonekit completions`: what shells complete the words of a command with.
enum CompletionsVerb {
  static let spec = VerbSpec(
    "completions", "bash|zsh|fish | offer -- [WORD...]", summary: "print the completion script of a shell",
    details: """
      The script asks the program for what it offers, with offer and the words after zonekit; the last one is the word to be
      completed. The first line of the answer says what of the file system comes besides (none, folders, files or commands);
      each further line is a word, and behind a tab its meaning. Names of devices, zones and snapshots are those in the
      data directory.
      """,
    examples: [
      "source <(zonekit completions bash)", "zonekit completions zsh > ~/.zsh/completions/_zonekit",
      "zonekit completions fish > ~/.config/fish/completions/zonekit.fish",
      "zonekit completions offer -- serve --auth ''",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    guard let first = words.operands.first else { throw .usage("bash, zsh or fish is missing") }
    if first == "offer" {
      let completion = Completion(of: Array(words.operands.dropFirst()), verbs: CommandLineProgram.verbs)
      Console.print(completion.paths.rawValue)
      for offer in completion.offers {
        Console.print(offer.meaning.isEmpty ? offer.word : "\(offer.word)\t\(offer.meaning)")
      }
      return 0
    }
    let shells = CompletionScript.all.map(\.shell)
    guard let script = CompletionScript.all.first(where: { $0.shell == first }) else {
      throw .usage("completions takes bash, zsh or fish, not \(first)\(Suggestion.text(for: first, among: shells))")
    }
    _ = try words.operands(first)
    Console.print(script.text)
    return 0
  }
}
