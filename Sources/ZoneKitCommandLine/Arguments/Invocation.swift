import Glibc
import ZoneKitRecords
import ZoneKitService

/// The parsed arguments of a verb: options with their values, and operands.
struct Invocation {
  /// Values by option name, in the order given. A switch has one empty value.
  private let values: [String: [String]]
  /// The arguments that are not options.
  let operands: [String]

  /// Parses the arguments after a verb. All arguments after `--` are operands.
  init(_ words: [String], options: [OptionSpec]) throws(ExitFailure) {
    var values: [String: [String]] = [:]
    var operands: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let (name, inline) = Self.split(word)
      guard let option = options.first(where: { $0.name == name }) else {
        throw .usage("unknown option \(name)\(Suggestion.text(for: name, among: options.map(\.name)))")
      }
      values[name, default: []].append(try Self.value(of: option, inline: inline, rest: &rest))
      guard option.isRepeatable || values[name]?.count == 1 else { throw .usage("\(name) was given twice") }
    }
    self.values = values
    self.operands = operands
  }

  private static func split(_ word: String) -> (name: String, inline: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  private static func value(
    of option: OptionSpec, inline: String?, rest: inout ArraySlice<String>
  ) throws(ExitFailure) -> String {
    guard let value = option.value else {
      guard inline == nil else { throw .usage("\(option.name) takes no value") }
      return ""
    }
    guard let word = inline ?? rest.popFirst() else { throw .usage("\(option.name) needs \(value)") }
    return word
  }

  /// Whether a switch was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option; nil if it was not given.
  func value(_ name: String) -> String? { values[name]?.first }

  /// All values of a repeatable option.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option as an integer in that range.
  func number(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws(ExitFailure) -> Int {
    guard let text = value(name) else { return fallback }
    guard let number = Int(text), range.contains(number) else {
      throw .usage("\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
    }
    return number
  }

  /// The operands. Throws unless there are exactly as many as `names`.
  func operands(_ names: String...) throws(ExitFailure) -> [String] {
    if operands.count < names.count { throw .usage("\(names[operands.count]) is missing") }
    if operands.count > names.count { throw .usage("\(operands[names.count]) is one word too many") }
    return operands
  }

  /// The value of `--environment`; nil if it was not given.
  func environment() throws(ExitFailure) -> Environment? {
    guard let text = value("--environment") else { return nil }
    guard let environment = Environment(rawValue: text) else {
      throw .usage("--environment takes \(Environment.allNames), not \(text)")
    }
    return environment
  }

  /// The variable of the environment that names the data directory where `--data` is missing.
  static let dataVariable = "ZONEKIT_DATA"

  /// The data directory where `--data` is missing.
  static var usualDataDirectory: String {
    let named = getenv(dataVariable).map { String(cString: $0) } ?? ""
    return named.isEmpty ? ".zonekit" : named
  }

  /// The data directory.
  var dataDirectory: String { value("--data") ?? Self.usualDataDirectory }

  /// The data directory of a verb that reads one. Throws if there is no cloud and no device in it.
  func existingData() throws(ExitFailure) -> DataDirectory {
    let data = DataDirectory(dataDirectory)
    try ExitFailure.from { () throws(StoresError) in try data.requireContent() }
    return data
  }

  /// Whether output is JSON.
  var wantsJSON: Bool { has("--json") }
}
