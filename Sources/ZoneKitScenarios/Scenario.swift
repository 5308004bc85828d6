/// A scenario: devices, options and steps, including faults and expectations.
package struct Scenario: Hashable, Sendable {
  /// The name.
  package var name: String
  /// A description of what happens, one sentence per element.
  package var about: [String] = []
  /// A description of what must hold at the end, one sentence per element.
  package var holds: [String] = []
  /// Where the failure was reported.
  package var sources: [String] = []
  /// The rules that it tests, by their IDs in `Diagnostics/rules.json`.
  package var rules: [String] = []
  /// The app on the devices that name no other; nil if any app will do.
  package var app: String?
  /// The file that describes the data of that app; nil for none.
  package var appFile: ScenarioFile?
  /// The devices, in the order of their numbers.
  package var devices: [ScenarioDevice] = []
  /// The settings of the cloud, the push service and the devices.
  package var options: [ScenarioOption] = []
  /// The steps, in order.
  package var steps: [ScenarioLine] = []

  /// A scenario without steps.
  package init(name: String) { self.name = name }

  /// The text of a file from which the parser makes this scenario.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// The same scenario with the line number of each step as in `text`.
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
    if let app {
      lines.append("app \(ScenarioWord.named(app))" + (appFile.map { " from \(ScenarioWord.named($0.path))" } ?? ""))
    }
    return lines + options.map { "option \($0.text)" } + devices.map(\.text)
  }
}

/// A file that a scenario names.
package struct ScenarioFile: Hashable, Sendable {
  /// The path, from the folder of the scenario's file.
  package var path: String
  /// The content, once the file was read.
  package var text: [UInt8]?

  /// The file of that path, with that content.
  package init(_ path: String, text: [UInt8]? = nil) {
    self.path = path
    self.text = text
  }
}

/// A device of a scenario.
package struct ScenarioDevice: Hashable, Sendable {
  /// The name: an uppercase letter, then letters, digits, `-` and `_`, at most 32 characters.
  package var name: String
  /// The app on it; nil for that of the scenario.
  package var app: String?
  /// The account that is signed in at the start; nil for none. All devices of an account have the same app.
  package var account: String?
  /// Whether the device is off until a step starts it.
  package var isOff: Bool

  /// A device with that name and account.
  package init(_ name: String, app: String? = nil, account: String?, isOff: Bool = false) {
    self.name = name
    self.app = app
    self.account = account
    self.isOff = isOff
  }

  var text: String {
    "devices \(name)\(app.map { " of app \(ScenarioWord.named($0))" } ?? "") signed \(account.map { "in as \(ScenarioWord.named($0))" } ?? "out")\(isOff ? " not started" : "")"
  }
}
