/// The words of an unfinished command, as a shell hands them over to have its last one completed.
struct UnfinishedCommand {
  /// What the last word is.
  enum Place {
    /// The name of a verb.
    case verb
    /// The value of an option, which the word has after `prefix`, such as `--auth=`.
    case value(OptionSpec, prefix: String)
    /// An option or an operand.
    case argument
    /// A word after `--`, where no option stands.
    case operand
  }

  /// The verb; nil while it is written, or if there is no such verb.
  private(set) var verb: VerbSpec?
  /// The operands before the last word.
  private(set) var operands: [String] = []
  /// The values of options before the last word.
  private(set) var values: [String: String] = [:]
  /// The part of the last word that a completion replaces.
  private(set) var last: String
  /// What the last word is.
  private(set) var place = Place.verb

  /// Reads the words after the name of the program. The shell bash makes three words of `--option=value`.
  init(_ words: [String], verbs: [VerbSpec]) {
    last = words.last ?? ""
    guard words.count > 1 else { return }
    verb = verbs.first { $0.name == words[0] }
    place = .argument
    var pending: OptionSpec?
    var isAfterDashes = false
    for word in words.dropFirst().dropLast() {
      if let option = pending {
        if word == "=" { continue }
        values[option.name] = word
        pending = nil
      } else if isAfterDashes || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        isAfterDashes = true
      } else if let equals = word.firstIndex(of: "=") {
        values[String(word[..<equals])] = String(word[word.index(after: equals)...])
      } else {
        pending = option(word)
      }
    }
    if let pending {
      place = .value(pending, prefix: "")
      if last == "=" { last = "" }
    } else if isAfterDashes {
      place = .operand
    } else if last.hasPrefix("-"), let equals = last.firstIndex(of: "="), let option = option(String(last[..<equals])) {
      place = .value(option, prefix: String(last[...equals]))
      last = String(last[last.index(after: equals)...])
    }
  }

  /// The option of that name, if it takes a value.
  private func option(_ name: String) -> OptionSpec? {
    verb?.allOptions.first { $0.name == name && $0.value != nil }
  }
}
