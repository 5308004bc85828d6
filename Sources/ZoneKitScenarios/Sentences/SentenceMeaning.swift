/// The meaning of a line.
enum SentenceMeaning {
  /// A line before the first step.
  case header(ScenarioHeaderLine)
  /// A step.
  case step(ScenarioStep)
  /// The start of a repetition: the steps up to the matching `end`, how often, and the time between the starts of two
  /// repetitions.
  case repetition(Int, every: TimeSpan?)
  /// The end of a repetition.
  case end
}

/// A line before the first step.
enum ScenarioHeaderLine {
  /// The scenario's name.
  case name(String)
  /// A sentence of the description.
  case about(String)
  /// A sentence about what must hold at the end.
  case holds(String)
  /// Where the failure was reported.
  case source(String)
  /// The IDs of rules that the scenario depends on.
  case rules([String])
  /// The app that the devices run, and the path of the file that describes its data; nil for none.
  case app(String, from: String?)
  /// Devices with the account that is signed in; nil for none.
  case devices([String], app: String?, account: String?, isOff: Bool)
  /// A setting of the cloud, the push service or the devices.
  case option(ScenarioOption)
}
