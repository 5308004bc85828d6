import ZoneKitService

/// A verb of the command line: its name, its arguments and its action.
struct VerbSpec: Sendable {
  /// The name.
  let name: String
  /// The operands in the help, for example `DEVICE PAYLOAD.json`.
  let operands: String
  /// What placeholders of the operands stand for, where these do not say it.
  let meanings: [String: ValueKind]
  /// A one-line description.
  let summary: String
  /// Further paragraphs of the help.
  let details: String
  /// The options besides those of every verb.
  let options: [OptionSpec]
  /// Examples for the help.
  let examples: [String]
  /// Runs the verb and returns the exit code.
  let run: @Sendable (Invocation) throws(ExitFailure) -> Int32

  init(
    _ name: String, _ operands: String = "", meanings: [String: ValueKind] = [:], summary: String, details: String = "",
    options: [OptionSpec] = [],
    examples: [String], run: @escaping @Sendable (Invocation) throws(ExitFailure) -> Int32
  ) {
    self.name = name
    self.operands = operands
    self.meanings = meanings
    self.summary = summary
    self.details = details
    self.options = options
    self.examples = examples
    self.run = run
  }

  /// All options, with the common ones last.
  var allOptions: [OptionSpec] { options + OptionSpec.common }

  /// What the operands can be.
  var operandSyntax: OperandSyntax { OperandSyntax(operands, meanings: meanings) }

  /// The help of the verb.
  var help: String {
    let head = ["zonekit", name, operands, "[options]"].filter { !$0.isEmpty }.joined(separator: " ")
    var parts = ["usage: \(head)\n\n\(summary)"]
    if !details.isEmpty { parts.append(details) }
    parts.append(
      "options:\n" + TextTable(allOptions.map { ["  " + $0.spelling, $0.help] }).text(within: Console.columns))
    parts.append("example:\n" + examples.map { "  \($0)" }.joined(separator: "\n"))
    return parts.joined(separator: "\n\n")
  }
}
