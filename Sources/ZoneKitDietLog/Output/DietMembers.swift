import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The members of a JSON answer. What changes has `said`, `records` and `kinds`; documents have the form in which clients
/// send them.
enum DietMembers {
  /// The members for an answer.
  static func members(of answer: DietAnswer) -> [JSON.Member] {
    switch answer {
    case .changed(let edits, let said):
      [
        JSON.Member("said", .string(said)),
        JSON.Member("records", .array(edits.map { .string($0.recordID.recordName.text) })),
        JSON.Member("kinds", .array(edits.map { kind(of: $0).map(JSON.string) ?? .null })),
      ]
    case .unchanged(let said):
      [JSON.Member("said", .string(said)), JSON.Member("records", []), JSON.Member("kinds", [])]
    case .list(let collection, let documents, _): [list(collection, documents)]
    case .day(let day, let logs, let weights):
      [
        JSON.Member("day", .string(day)), list("foodLogs", logs), list("weightLogs", weights),
        totals(of: logs.flatMap(\.liveItems)),
      ]
    case .document(let document):
      [JSON.Member("collection", .string(document.name.collection.text)), JSON.Member("document", document.json)]
        + (document.name.collection == "foodLogs" ? [totals(of: document.liveItems)] : [])
    case .conflicts(let conflicts): [JSON.Member("conflicts", .array(conflicts.map(json)))]
    }
  }

  /// The app's word for a changed document; nil for a deletion.
  private static func kind(of edit: RecordEdit) -> String? {
    switch edit {
    case .save(_, let type, let fields, _, _), .repair(_, let type, let fields, _, _):
      fields.isDeleted ? nil : DietLog.word(type)
    case .delete: nil
    }
  }

  private static func list(_ collection: Name, _ documents: [DietDocument]) -> JSON.Member {
    JSON.Member(collection.text, .array(documents.map(\.json)))
  }

  private static func json(_ conflict: DietConflict) -> JSON {
    let entry = conflict.entry
    return [
      "record": .string(entry.recordID.recordName.text), "at": .string(entry.at.iso8601),
      "rule": .string(entry.rule), "winner": .string(entry.winner.rawValue), "decidedBy": .string(entry.decidedBy),
      "local": conflict.local?.json ?? .null, "server": conflict.server?.json ?? .null,
    ]
  }

  private static func totals(of items: [DocumentItem]) -> JSON.Member {
    let totals = DocumentTotals(of: items, DietLog.schema.summed)
    return JSON.Member("totals", .object(DietLog.amounts.map { JSON.Member($0.text, .integer(totals[$0])) }))
  }
}

extension DietDocument {
  /// The document with its ID and stamp, as files and answers have it.
  package var json: JSON { DietLog.documents.json(of: name, fields) }
}
