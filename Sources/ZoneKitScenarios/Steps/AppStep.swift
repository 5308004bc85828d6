/// A step that a user performs in the app.
package enum AppStep: Hashable, Sendable {
  /// `A logs feeding bottle`, or `A does ...`: a command of the app.
  case perform(DeviceChoice, String)
  /// `A edits B's last action volume 90`: the app's word for an edit, the record, and the app's words for the change.
  case edit(String, RecordReference, String)
  /// `A deletes its last action`.
  case delete(String, RecordReference)
  /// `A saves record "x" of type Item in zone Items under "parent" field title "..."`: a save without a command of the
  /// app.
  case save(String, record: String, type: String?, zone: String?, parent: String?, [ScenarioField])
  /// `A syncs`: the user requests a sync.
  case sync(DeviceChoice)
  /// `A syncs inside its next merge`: the app requests a sync while it handles remote changes.
  case syncInsideMerge(String)

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .perform(let devices, let line):
      if let verb = Self.verbs.first(where: { line.hasPrefix($0 + " ") }) {
        "\(devices.text) \(verb)\(devices.isSeveral ? "" : "s")\(line.dropFirst(verb.count))"
      } else {
        "\(devices.text) \(devices.isSeveral ? "do" : "does") \(line)"
      }
    case .edit(let device, let record, let words): "\(device) edits \(record.text) \(words)"
    case .delete(let device, let record): "\(device) deletes \(record.text)"
    case .save(let device, let record, let type, let zone, let parent, let fields):
      "\(device) saves record \(ScenarioWord.named(record))"
        + (type.map { " of type \(ScenarioWord.named($0))" } ?? "")
        + (zone.map { " in zone \(ScenarioWord.named($0))" } ?? "")
        + (parent.map { " under \(ScenarioWord.named($0))" } ?? "") + fields.map { " \($0.text)" }.joined()
    case .sync(.named(let names)) where names.count == 1: "\(names[0]) syncs"
    case .sync(let devices): "\(devices.text) sync"
    case .syncInsideMerge(let device): "\(device) syncs inside its next merge"
    }
  }

  /// The app's commands that a scenario may use in the third person.
  static let verbs = ["log", "start", "stop", "import"]
}
