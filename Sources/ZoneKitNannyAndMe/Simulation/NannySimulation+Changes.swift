import ZoneKitDeviceHost
import ZoneKitRecords

/// Checks of what a command changes.
extension NannySimulation {
  /// A command stamps the record that it names and no other one. A rule may end running actions, without a stamp.
  @Sendable static func judge(_ line: String, _ changes: [DeviceApp.Change]) -> String? {
    let words = line.split(separator: " ").map(String.init)
    let edits = changes.filter(\.isEdit)
    let stamped = edits.filter { $0.fields.contains(ActionKeys.updatedAt) }
    let flaw: String? =
      switch words.first {
      case "edit" where words.count > 2: text(among: stamped, allowing: fields(of: words[2]))
      case "stop": text(among: stamped, allowing: [ActionKeys.endDate])
      case "profile": text(among: stamped, allowing: ["name", "birthDate"])
      default: stamped.first.map { "\($0.id.words) was there before" }
      }
    let ended = edits.filter { !$0.fields.contains(ActionKeys.updatedAt) }
    let found = flaw ?? ended.lazy.compactMap { $0.text(unlessOf: [ActionKeys.endDate]) }.first
    let isDeletion = words.first == "delete"
    let removed = changes.first { !isDeletion && $0.after == nil }.map { "\($0.id.words) is gone" }
    return (found ?? removed).map { "`\(line)` changed too much. \($0)" }
  }

  private static func text(among stamped: [DeviceApp.Change], allowing fields: Set<Name>) -> String? {
    if stamped.count > 1 { return "\(stamped[1].id.words) has a new stamp too" }
    return stamped.first?.text(unlessOf: fields.union([ActionKeys.updatedAt]))
  }

  /// The fields that an edit of a field may change. An action that runs may be ended with it.
  private static func fields(of word: String) -> Set<Name> {
    let field: Set<Name> =
      switch word {
      case "feedingType": ["feedingType", "bottleType", "bottleVolume"]
      case "at": ["startDate"]
      case "type": ["bottleType"]
      case "volume": ["bottleVolume"]
      default: [Name(word)]
      }
    return field.union(["endDate"])
  }
}
