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
  /// What its value can be.
  let kind: ValueKind

  /// `kind` says what the value can be where the placeholder does not.
  init(_ name: String, _ value: String? = nil, help: String, isRepeatable: Bool = false, kind: ValueKind? = nil) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
    self.kind = kind ?? ValueKind(placeholder: value ?? "")
  }

  /// The name and the placeholder, for example `--data DIR`.
  var spelling: String { [name, value].compactMap { $0 }.joined(separator: " ") + (isRepeatable ? " ..." : "") }

  /// The options of every verb.
  static let common = [
    OptionSpec("--data", "DIR", help: "the data directory of cloud and devices (default $ZONEKIT_DATA or .zonekit)"),
    OptionSpec("--json", help: "print one JSON object per line instead of text"),
    OptionSpec("--help", help: "print this help"),
  ]
}
