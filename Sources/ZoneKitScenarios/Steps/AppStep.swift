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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .perform(let devices, let line):
      let verb = Self.verbs.first { line.hasPrefix($0 + " ") }
      return ["devices": .devices(devices), "rest": .name(String(line.dropFirst(verb.map { $0.count + 1 } ?? 0)))]
    case .edit(let device, let record, let words):
      return ["device": .name(device), "record": .record(record), "rest": .name(words)]
    case .delete(let device, let record): return ["device": .name(device), "record": .record(record)]
    case .save(let device, let record, let type, let zone, let parent, let fields):
      return [
        "device": .name(device), "name": .name(record), "type": .name(type), "zone": .name(zone),
        "parent": .name(parent), "fields": fields.isEmpty ? nil : .fields(fields),
      ]
    case .sync(let devices): return ["devices": .devices(devices)]
    case .syncInsideMerge(let device): return ["device": .name(device)]
    }
  }

  /// The app's commands that a scenario may use in the third person.
  static let verbs = ["log", "start", "stop", "import"]
}
