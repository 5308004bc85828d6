import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService
import ZoneKitSync

/// `zonekit diff`: compares two devices and the cloud, record by record.
enum DiffVerb {
  static let spec = VerbSpec(
    "diff", "A B", meanings: ["A": .name(.devices), "B": .name(.devices)],
    summary: "compare two devices and the cloud record by record, with the reasons for differences",
    details: """
      Reads only, and works while processes run. Compares the zones of the devices' account without the conflict journal.
      Records that a device removed because the cloud no longer showed them are named too; the device's journal keeps them.
      Exit code 0: all three are equal; 1: they differ; 3: one of them cannot be read.
      """,
    options: [
      AppTable.option,
      OptionSpec("--container", "NAME", help: "the container (default: the app's)"),
      OptionSpec("--environment", "NAME", help: "development or production (default development)", kind: .environment),
    ],
    examples: ["zonekit diff A B", "zonekit diff A B --json"],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let names = try words.operands("A", "B")
    let environment = try words.environment() ?? .development
    let apps = try names.map { (name) throws(ExitFailure) in try AppTable.app(ofDevice: name, words) }
    guard apps[0].fullName == apps[1].fullName else {
      throw .usage(
        "\(names[0]) runs \(apps[0].fullName) and \(names[1]) runs \(apps[1].fullName); diff takes devices of one app")
    }
    var app = apps[0]
    if let container = words.value("--container") { app.container = Name(container) }
    let comparison = try ExitFailure.from { () throws(StoresError) in
      try StoreComparison(
        of: names[0], and: names[1], in: DataDirectory(words.dataDirectory),
        app: app, environment: environment, now: SystemClock.wall)
    }
    if words.wantsJSON {
      for difference in comparison.differences { Console.print(json(difference).text()) }
      for removal in comparison.removals { Console.print(json(removal).text()) }
      Console.print(json(comparison).text())
    } else {
      for difference in comparison.differences { Console.show(text(difference, names: names)) }
      for removal in comparison.removals { Console.show(text(removal)) }
      for sentence in DeviceStanding.sentences(of: comparison.standings) { Console.show(sentence) }
      Console.show(summary(comparison, names: names))
    }
    return comparison.differences.isEmpty ? 0 : 1
  }

  // MARK: Text

  private static func text(_ difference: RecordDifference, names: [String]) -> String {
    let type = difference.recordType.map { "  \($0)" } ?? ""
    let sides = sides(of: difference, names: names)
    var lines = ["\(difference.recordID.words)\(type)"]
    if sides.contains(where: { $0.side == nil }) {
      let having = sides.filter { $0.side != nil }.map(\.name).joined(separator: " and ")
      lines.append("  only on \(having)")
    }
    let rows = difference.fields.enumerated().map { index, field in
      ["  \(field)"] + sides.compactMap { name, side in side.map { "\(name) \($0[index] ?? "-")" } }
    }
    if !rows.isEmpty { lines.append(TextTable(rows).text(within: Console.columns)) }
    return (lines + difference.reasons.map { "  \($0)" }).joined(separator: "\n")
  }

  private static func text(_ removal: StoreComparison.Removal) -> String {
    let records = removal.records.count.counted("record")
    return "\(removal.device) removed \(records) that the cloud no longer showed, the last at \(removal.at.iso8601); "
      + "its journal keeps them (rule \(ConflictEntry.leftOut))"
  }

  private static func summary(_ comparison: StoreComparison, names: [String]) -> String {
    let different = comparison.differences.count
    let subject = "\(names[0]), \(names[1]) and the cloud"
    return different == 0
      ? "\(subject) are equal: \(comparison.compared.counted("record"))"
      : "\(subject) differ in \(different) of \(comparison.compared.counted("record"))"
  }

  private static func sides(
    of difference: RecordDifference, names: [String]
  ) -> [(name: String, side: RecordDifference.Side?)] {
    [(names[0], difference.first), (names[1], difference.second), ("cloud", difference.cloud)]
  }

  // MARK: JSON

  private static func json(_ difference: RecordDifference) -> JSON {
    [
      "event": "difference", "zone": .string(difference.zoneName.text),
      "record": .string(difference.recordName.text),
      "type": difference.recordType.map { .string($0.text) } ?? .null,
      "fields": .array(difference.fields.map { .string($0.text) }), "a": json(difference.first, of: difference),
      "b": json(difference.second, of: difference), "cloud": json(difference.cloud, of: difference),
      "why": .string(difference.reasons.joined(separator: "; ")),
    ]
  }

  /// One version as a JSON object of the differing fields; null if there is no such record.
  private static func json(_ side: RecordDifference.Side?, of difference: RecordDifference) -> JSON {
    guard let side else { return .null }
    return .object(
      zip(difference.fields, side).compactMap { field, value in
        value.map { JSON.Member(field.text, .string($0)) }
      })
  }

  private static func json(_ removal: StoreComparison.Removal) -> JSON {
    [
      "event": "removed", "device": .string(removal.device), "at": .string(removal.at.iso8601),
      "records": .array(removal.records.map { .string($0.recordName.text) }),
    ]
  }

  private static func json(_ comparison: StoreComparison) -> JSON {
    [
      "event": "diff", "equal": .bool(comparison.differences.isEmpty),
      "compared": .integer(Int64(comparison.compared)), "different": .integer(Int64(comparison.differences.count)),
      "sentences": .array(DeviceStanding.sentences(of: comparison.standings).map { .string($0) }),
    ]
  }
}
