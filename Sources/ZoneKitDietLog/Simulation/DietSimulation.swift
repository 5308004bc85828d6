import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The diet log's part of a simulation: random commands, and checks of what only the diet log has.
enum DietSimulation {
  /// The properties for `DeviceApp.simulation`.
  static var part: DeviceApp.Simulation {
    var part = DeviceApp.Simulation()
    part.mergePolicy = laws.mergePolicy
    part.judge = laws.judge
    part.judgeCommand = judge
    part.flaw = laws.flaw
    part.randomLine = randomLine
    part.computed = computed
    part.law = law
    part.judgeAgreement = laws.judgeAgreement
    part.linesOfDays = linesOfDays
    return part
  }

  private static let laws = DocumentLaws(of: DietLog.documents)

  // MARK: Checks

  /// Checks the content of a document against all versions of it.
  @Sendable private static func law(_ id: RecordID, _ versions: [RecordContent], _ final: RecordContent) -> String? {
    if let text = laws.law(id, versions, final) { return text }
    guard let end = try? final.fields.decoded() else { return nil }
    return flaw(ofDayIn: end, versions.compactMap { try? $0.fields.decoded() })
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
}
