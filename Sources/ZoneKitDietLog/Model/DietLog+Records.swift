import ZoneKitDocuments
import ZoneKitRecords

extension DietLog {
  /// The zone that holds an account's documents.
  package static let zoneID = ZoneID(zoneName: documents.zone)

  /// The most items of a log that were not removed. A merge may exceed it.
  static let liveItemLimit = 100

  /// The collection of that name. It must be one of the schema's.
  static func collection(_ name: Name) -> DocumentCollection {
    guard let collection = schema.collection(name) else { preconditionFailure("the diet log has a collection \(name)") }
    return collection
  }

  /// The collections that users write, in the order of the schema.
  static let written = schema.collections.filter { !$0.isDerived }

  /// The document of a record of the app's zone; nil for any other record.
  package static func name(of id: RecordID) -> DocumentName? {
    guard id.zoneID.zoneName == zoneID.zoneName, let name = DocumentName(recordName: id.recordName, in: .documents),
      schema.collection(name.collection) != nil
    else { return nil }
    return name
  }

  /// The word with which users name a document of a collection.
  static func word(_ collection: Name) -> String {
    switch collection {
    case "foodLogs": "log"
    case "weightLogs": "weight"
    case "userGoals": "goals"
    case "recentFoods": "food"
    case "families": "family"
    case "familyMembers": "member"
    default: "summary"
    }
  }

  /// The collection that a word of `list` names; nil if it names none.
  static func collection(listedAs word: String) -> Name? {
    switch word {
    case "logs": "foodLogs"
    case "weights": "weightLogs"
    case "goals": "userGoals"
    case "families": "families"
    case "members": "familyMembers"
    default: nil
    }
  }
}
