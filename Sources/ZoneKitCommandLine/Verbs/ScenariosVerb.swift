import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// `zonekit scenarios`: the catalogue of failures.
enum ScenariosVerb {
  static let spec = VerbSpec(
    "scenarios", "[NAME]", meanings: ["NAME": .name(.scenarios)],
    summary: "list the catalogue of sync failures; NAME shows one scenario",
    details: """
      The catalogue is a part of the program. A folder takes its place: the one that ZONEKIT_SCENARIOS names, otherwise
      Diagnostics/Scenarios in a parent folder of the program. With NAME: the scenario's text, its sources and the rules
      that it tests. A name that only variants have, such as zone-gone, shows all variants.
      """,
    options: [
      OptionSpec("--rules", help: "the rules that scenarios test, with the certainty of each"),
      OptionSpec("--language", help: "every sentence of the scenario language, with its meaning and an example"),
    ],
    examples: [
      "zonekit scenarios", "zonekit scenarios dropped-push", "zonekit scenarios --rules",
      "zonekit scenarios --language",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    if words.has("--language") {
      _ = try words.operands()
      tell(LanguageReference(), as: words)
      return 0
    }
    let catalogue = try ScenarioCatalogue()
    if words.has("--rules") {
      _ = try words.operands()
      tell(try catalogue.rules(), as: words)
      return 0
    }
    guard let name = words.operands.first else {
      try list(catalogue, as: words)
      return 0
    }
    _ = try words.operands("NAME")
    for name in try catalogue.names(meantBy: name) {
      try show(try catalogue.scenario(named: name), of: catalogue, as: words)
    }
    return 0
  }

  private static func list(_ catalogue: ScenarioCatalogue, as words: Invocation) throws(ExitFailure) {
    var rows: [[String]] = []
    for name in try catalogue.names() {
      let scenario = try catalogue.scenario(named: name)
      if words.wantsJSON { Console.print(json(scenario).text()) }
      rows.append([scenario.name, scenario.about.joined(separator: " "), scenario.holds.joined(separator: " ")])
    }
    if !words.wantsJSON {
      Console.print(TextTable([["NAME", "WHAT HAPPENS", "WHAT MUST HOLD"]] + rows).text(within: Console.columns))
    }
  }

  private static func show(
    _ scenario: Scenario, of catalogue: ScenarioCatalogue, as words: Invocation
  ) throws(ExitFailure) {
    let rules = try catalogue.rules().filter { scenario.rules.contains($0.id) }
    if words.wantsJSON {
      guard case .object(var members) = json(scenario) else { return }
      members.removeAll { $0.key == "rules" }
      members.append(JSON.Member("rules", .array(rules.map(\.json))))
      members.append(JSON.Member("text", .string(scenario.text)))
      return Console.print(JSON.object(members).text())
    }
    var text = scenario.text
    text += "\nrules\n" + table(rules)
    Console.print(text)
  }

  private static func tell(_ rules: [ScenarioRule], as words: Invocation) {
    if words.wantsJSON {
      for rule in rules { Console.print(rule.json.text()) }
    } else {
      Console.show(table(rules))
    }
  }

  private static func tell(_ language: LanguageReference, as words: Invocation) {
    guard words.wantsJSON else { return Console.show(language.text) }
    func list(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    for section in language.sections {
      for entry in section.entries {
        let sentence: JSON = [
          "event": "sentence", "section": .string(section.title), "pattern": .string(entry.pattern),
          "meaning": .string(entry.summary), "example": .string(entry.example), "slots": list(entry.slots),
        ]
        Console.print(sentence.text())
      }
    }
    for slot in language.slots {
      let line: JSON = [
        "event": "slot", "name": .string(slot.name), "meaning": .string(slot.summary), "values": list(slot.values),
      ]
      Console.print(line.text())
    }
  }

  private static func table(_ rules: [ScenarioRule]) -> String {
    let rows = rules.map { rule in
      [rule.id, rule.confidence, rule.text, rule.option.map { "set by: \($0)" } ?? "", "source: \(rule.source)"]
    }
    return rows.map { row in
      "  \(row[0]) (\(row[1]))\n" + row.dropFirst(2).filter { !$0.isEmpty }.map { "    \($0)" }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func json(_ scenario: Scenario) -> JSON {
    func list(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    return [
      "name": .string(scenario.name), "about": list(scenario.about), "holds": list(scenario.holds),
      "sources": list(scenario.sources), "rules": list(scenario.rules),
    ]
  }
}
