/// An option of a verb.
struct OptionSpec: Sendable {
  /// The name, for example `--data`.
  let name: String
  /// The placeholder of its value in the help, for example `DIR`; nil for a switch.
  let value: String?
  /// A one-line description.
  let help: String
  /// Whether it may be given more than once.
  let isRepeatable: Bool

  init(_ name: String, _ value: String? = nil, help: String, isRepeatable: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
  }

  /// The options of every verb.
  static let common = [
    OptionSpec("--data", "DIR", help: "the data directory of cloud and devices (default .zonekit)"),
    OptionSpec("--json", help: "print one JSON object per line instead of text"),
    OptionSpec("--help", help: "print this help"),
  ]
}
