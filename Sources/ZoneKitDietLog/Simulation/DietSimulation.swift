import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The diet log's part of a simulation: random commands, and checks that implement the rules a second time in a simple
/// way.
enum DietSimulation {
  /// The properties for `DeviceApp.simulation`.
  static var part: DeviceApp.Simulation {
    var part = DeviceApp.Simulation()
    part.mergePolicy =
      MergeLaws(of: DocumentMergePolicy(DietLog.schema).policy, stamp: .documentStamp) {
        !ownRules.contains($0)
      }.policy
    part.judge = judge
    part.judgeCommand = judge
    part.flaw = flaw
    part.randomLine = randomLine
    part.computed = computed
    part.law = law
    part.judgeAgreement = judgeAgreement
    part.linesOfDays = linesOfDays
    return part
  }

  /// The fields that do not merge by themselves.
  private static let ownRules: Set<Name> = [.documentStamp, .deleted, "items"]

  // MARK: Checks

  /// Checks a document that the app wrote: no item was edited later than the document.
  @Sendable private static func flaw(_ id: RecordID, _ content: RecordContent) -> String? {
    guard let fields = try? content.fields.decoded() else { return "its fields cannot be read" }
    guard case .timestamp(let stamp)? = fields[.documentStamp] else { return "it has no edit stamp" }
    // Sums of days have a number of items.
    if case .int64? = fields["items"] { return nil }
    guard fields["items"] != nil else { return nil }
    guard let items = fields.items(in: "items") else { return "its items cannot be read" }
    guard let late = items.first(where: { $0.updatedAt > stamp.milliseconds }) else { return nil }
    return "its item \(late.id) was edited later than the document"
  }

  /// Checks the content of a document against all versions of it: each item is the greatest of its versions, and the document is
  /// deleted exactly if all of its latest versions are.
  @Sendable private static func law(_ id: RecordID, _ versions: [RecordContent], _ final: RecordContent) -> String? {
    guard let end = try? final.fields.decoded() else { return "its fields cannot be read" }
    guard DietLog.name(of: id).map({ DietLog.collection($0.collection).isDerived }) == false else { return nil }
    let all = versions.compactMap { try? $0.fields.decoded() }
    let latest = all.filter { version in all.allSatisfy { $0.editedAt <= version.editedAt } }
    guard end.isDeleted == latest.allSatisfy(\.isDeleted) else {
      return end.isDeleted
        ? "it is deleted, although a latest version is not" : "it is not deleted, although its latest versions are"
    }
    if let flaw = flaw(ofDayIn: end, all) { return flaw }
    guard id.recordName.text.hasPrefix("foodLogs.") else { return nil }
    var greatest: [String: (rank: (Int64, Int), text: String)] = [:]
    for item in all.flatMap({ $0.items(in: "items") ?? [] }) {
      let rank = (item.updatedAt, item.isRemoved ? 0 : 1)
      if let known = greatest[item.id], known.rank > rank { continue }
      if let known = greatest[item.id], known.rank == rank,
        !known.text.utf8.lexicographicallyPrecedes(item.text.utf8)
      {
        continue
      }
      greatest[item.id] = (rank, item.text)
    }
    let items = end.items(in: "items") ?? []
    guard items.count == greatest.count else {
      return "it has \(items.count.counted("item")), removed ones included, and \(greatest.count) were added"
    }
    guard let wrong = items.first(where: { greatest[$0.id]?.text != $0.text }) else { return nil }
    return "its item \(wrong.id) \(difference(wrong.text, greatest[wrong.id]?.text ?? "{}"))"
  }

  /// The members of an item that differ from those of its greatest version, with both values.
  private static func difference(_ text: String, _ greatest: String) -> String {
    let (ours, theirs) = (try? JSON(parsing: text), try? JSON(parsing: greatest))
    let keys = Set(((ours?.object ?? []) + (theirs?.object ?? [])).map(\.key)).sorted()
    let parts = keys.filter { ours?[$0] != theirs?[$0] }.map { key in
      "has \(key) \(ours?[key]?.text() ?? "none"), and its greatest version \(theirs?[key]?.text() ?? "none")"
    }
    return parts.joined(separator: "; ")
  }

  /// What users read of the items of a log: `itemCount`, `itemNames` and `kcal`.
  @Sendable private static func computed(_ name: Name, _ fields: Fields) -> FieldValue? {
    guard let items = fields.items(in: "items"), ["itemCount", "itemNames", "kcal"].contains(name) else { return nil }
    let log = DietDocument(DocumentName("foodLogs", "A"), fields)
    switch name {
    case "itemCount": return .int64(Int64(items.count { !$0.isRemoved }))
    case "itemNames": return .string(log.liveItems.map(\.name).joined(separator: ", "))
    default: return .int64(log.totals["energyKcal"])
    }
  }

  /// Decides a conflict again in a simple way, and checks that a result has the stamp and the mark of deletion of the
  /// greater version.
  @Sendable private static func judge(_ entry: ConflictEntry) -> String? {
    if let violation = MergeLaws.violation(by: entry) { return violation }
    guard let local = entry.local, let server = entry.server, let ours = try? local.fields.decoded(),
      let theirs = try? server.fields.decoded(), entry.winner == .local || entry.winner == .server,
      ["updatedAt", "alive", "content"].contains(entry.rule)
    else { return nil }
    let isLocalGreater: Bool
    if ours.editedAt != theirs.editedAt {
      isLocalGreater = ours.editedAt > theirs.editedAt
    } else if ours.isDeleted != theirs.isDeleted {
      isLocalGreater = theirs.isDeleted
    } else {
      isLocalGreater = header(theirs).lexicographicallyPrecedes(header(ours))
    }
    guard header(ours) != header(theirs), isLocalGreater != (entry.winner == .local) else { return nil }
    return "\(entry.recordID.words): \(entry.winner.rawValue) won by \(entry.rule), and the other version is greater"
  }

  private static func header(_ fields: Fields) -> [UInt8] {
    var header = fields
    header["items"] = nil
    return EncodedFields(header).utf8
  }
}
