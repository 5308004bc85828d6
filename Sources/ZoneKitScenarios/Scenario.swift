/// A scenario: devices, how everything is set up, and the steps with the faults and expectations among them.
package struct Scenario: Hashable, Sendable {
  /// What it is called.
  package var name: String
  /// What happens, a sentence a line.
  package var about: [String] = []
  /// What must hold at the end, a sentence a line.
  package var holds: [String] = []
  /// Where it was reported.
  package var sources: [String] = []
  /// The rules that it depends on, by their IDs in `Diagnostics/rules.json`.
  package var rules: [String] = []
  /// The app that runs on the devices; nil leaves the choice to the player.
  package var app: String?
  /// The devices, in the order of their numbers.
  package var devices: [ScenarioDevice] = []
  /// How the cloud, the gateway and the devices are set up.
  package var options: [ScenarioOption] = []
  /// What happens, in order.
  package var steps: [ScenarioLine] = []

  /// A scenario in which nothing happens yet.
  package init(name: String) { self.name = name }

  /// The file that reads as this scenario.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// The same scenario with each step at the line on which `text` writes it.
  package func numbered() -> Scenario {
    var scenario = self
    var line = header.count
    scenario.steps = steps.map { $0.numbered(after: &line) }
    return scenario
  }

  private var lines: [String] { header + steps.flatMap { $0.lines(indent: "") } }

  private var header: [String] {
    var lines = ["scenario \(ScenarioWord.quoted(name))"]
    lines += about.map { "about \(ScenarioWord.quoted($0))" }
    lines += holds.map { "holds \(ScenarioWord.quoted($0))" }
    lines += sources.map { "source \(ScenarioWord.quoted($0))" }
    if !rules.isEmpty { lines.append("rules \(rules.map(ScenarioWord.named).joined(separator: ", "))") }
    if let app { lines.append("app \(ScenarioWord.named(app))") }
    return lines + options.map { "option \($0.text)" } + devices.map(\.text)
  }
}

/// One of a scenario's devices.
package struct ScenarioDevice: Hashable, Sendable {
  /// Its name: an uppercase letter, then letters, digits, `-` and `_`, at most 32 in all.
  package var name: String
  /// Who is signed in when it starts; nil where nobody is.
  package var account: String?
  /// Whether it waits for a step to start it.
  package var isOff: Bool

  /// A device with that account.
  package init(_ name: String, account: String?, isOff: Bool = false) {
    self.name = name
    self.account = account
    self.isOff = isOff
  }

  var text: String {
    "devices \(name) signed \(account.map { "in as \(ScenarioWord.named($0))" } ?? "out")\(isOff ? " not started" : "")"
  }
}
