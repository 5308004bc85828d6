/// An option that a verb takes.
struct OptionSpec: Sendable {
  /// The option as typed, for example `--data`.
  let name: String
  /// What stands for its value in help, for example `DIR`; nil for a switch.
  let value: String?
  /// What it does, in a line.
  let help: String
  /// Whether it may come more than once.
  let isRepeatable: Bool

  init(_ name: String, _ value: String? = nil, help: String, isRepeatable: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
  }

  /// Taken by every verb.
  static let common = [
    OptionSpec("--data", "DIR", help: "where cloud and devices are kept (default .zonekit)"),
    OptionSpec("--json", help: "one JSON object a line instead of text"),
    OptionSpec("--help", help: "this page"),
  ]
}
