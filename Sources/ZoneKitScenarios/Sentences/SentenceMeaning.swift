/// What a line means to a scenario.
enum SentenceMeaning {
  /// A line before the first step.
  case header(ScenarioHeaderLine)
  /// A step.
  case step(ScenarioStep)
  /// The steps up to the matching `end` are repeated that often, a repetition begins so long after the one before.
  case repetition(Int, every: TimeSpan?)
  /// The end of a repetition.
  case end
}

/// A line before the first step.
enum ScenarioHeaderLine {
  /// What the scenario is called.
  case name(String)
  /// A sentence about what happens.
  case about(String)
  /// A sentence about what must hold.
  case holds(String)
  /// Where the failure was reported.
  case source(String)
  /// The IDs of rules that the scenario depends on.
  case rules([String])
  /// The app that the devices run.
  case app(String)
  /// Devices with the account that is signed in, nil for none.
  case devices([String], account: String?, isOff: Bool)
  /// How the cloud, the push service and the devices are set up.
  case option(ScenarioOption)
}
