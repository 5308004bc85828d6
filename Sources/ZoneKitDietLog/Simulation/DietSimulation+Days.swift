import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// Checks of the days of entries, for devices in any time zone.
extension DietSimulation {
  /// Commands that log an entry on the day that the device has in its time zone.
  static let linesOfDays = [
    "log dinner", "log snack at 23:30", "log breakfast at 00:10", "log lunch at -9h", "weigh 70.5",
  ]

  /// Returns what is wrong with the day of an entry, for which its versions are given: no random command edits a day, so
  /// the day is the same in all of them.
  static func flaw(ofDayIn end: Fields, _ versions: [Fields]) -> String? {
    guard case .string(let day)? = end["loggedDate"] else { return nil }
    let others = versions.compactMap { version -> String? in
      if case .string(let other)? = version["loggedDate"], other != day { other } else { nil }
    }
    return others.first.map { "it is of \(day), and it was logged on \($0)" }
  }

  /// Checks that the sums of each day are those of its entries, in the cloud and on a device that agrees with it.
  @Sendable static func judgeAgreement(_ records: [RecordID: RecordContent], _ view: AppView) -> [String] {
    let cloud = records.compactMapValues { try? $0.fields.decoded() }
    var device: [RecordID: Fields] = [:]
    for type in ["foodLogs", "dailySummaries"] as [Name] {
      for record in (try? view.store.records(ofType: type)) ?? [] {
        // The cloud's sums are without an edit that it refused.
        let content = record.quarantine == nil ? record.local : record.server?.content
        device[record.recordID] = (try? content?.fields.decoded()) ?? nil
      }
    }
    return flaws(ofSumsIn: cloud, "the cloud") + flaws(ofSumsIn: device, "the device")
  }

  private static func flaws(ofSumsIn documents: [RecordID: Fields], _ place: String) -> [String] {
    var sums: [String: (meals: Int64, energy: Int64)] = [:]
    var shown: [String: (meals: FieldValue?, energy: FieldValue?)] = [:]
    for (id, fields) in documents {
      guard let name = DietLog.name(of: id) else { continue }
      if name.collection == "dailySummaries" { shown[name.id] = (fields["meals"], fields["energyKcal"]) }
      guard name.collection == "foodLogs", !fields.isDeleted, case .string(let day)? = fields["loggedDate"] else {
        continue
      }
      let energy = DietDocument(name, fields).totals["energyKcal"]
      sums[day, default: (0, 0)].meals += 1
      sums[day, default: (0, 0)].energy += energy
    }
    return shown.sorted { $0.key < $1.key }.compactMap { day, shown -> String? in
      let sum = sums[day] ?? (0, 0)
      guard shown.meals != .int64(sum.meals) || shown.energy != .int64(sum.energy) else { return nil }
      return
        "in \(place) the sums of \(day) are not those of its \(Int(sum.meals).counted("entry", plural: "entries")), \(sum.energy) kcal"
    }
  }
}
