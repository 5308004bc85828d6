import ZoneKitService

/// One verb of the command line: what it is called, what it takes, and what it does.
struct VerbSpec: Sendable {
  /// The word that calls it.
  let name: String
  /// What stands behind the name, for example `DEVICE PAYLOAD.json`.
  let operands: String
  /// What it does, in a line.
  let summary: String
  /// What a reader of its help should know besides.
  let details: String
  /// The options it takes besides those that every verb takes.
  let options: [OptionSpec]
  /// Calls that a reader can copy.
  let examples: [String]
  /// Does it; what it returns is the exit code.
  let run: @Sendable (Invocation) throws(ExitFailure) -> Int32

  init(
    _ name: String, _ operands: String = "", summary: String, details: String = "", options: [OptionSpec] = [],
    examples: [String], run: @escaping @Sendable (Invocation) throws(ExitFailure) -> Int32
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.details = details
    self.options = options
    self.examples = examples
    self.run = run
  }

  /// All options, the common ones last.
  var allOptions: [OptionSpec] { options + OptionSpec.common }

  /// The verb's page of help.
  var help: String {
    let head = ["zonekit", name, operands, "[options]"].filter { !$0.isEmpty }.joined(separator: " ")
    var parts = ["usage: \(head)\n\n\(summary)"]
    if !details.isEmpty { parts.append(details) }
    parts.append("options:\n" + TextTable(allOptions.map { ["  " + Self.spelling($0), $0.help] }).text)
    parts.append("example:\n" + examples.map { "  \($0)" }.joined(separator: "\n"))
    return parts.joined(separator: "\n\n")
  }

  private static func spelling(_ option: OptionSpec) -> String {
    [option.name, option.value].compactMap { $0 }.joined(separator: " ") + (option.isRepeatable ? " ..." : "")
  }
}
