import ZoneKitRecords
import ZoneKitService

/// The result or the plan of a reset, as text and as JSON.
enum ResetText {
  /// What is removed, on one line.
  static func summary(_ plan: ResetPlan, of target: ResetTarget) -> String {
    var parts: [String] = []
    if !plan.zones.isEmpty {
      parts.append("\(plan.cloudRecords.counted("record")) of \(plan.zones.count.counted("zone"))")
    }
    if !plan.tables.isEmpty {
      let rows = plan.tables.reduce(0) { $0 + $1.rows }
      parts.append("\(rows.counted("row")) of \(plan.tables.count.counted("table"))")
    }
    for device in plan.devices {
      let what =
        if case .tokens = target { device.positions.counted("position") } else { device.records.counted("record") }
      parts.append("\(what) of device \(device.device)")
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  static func text(_ plan: ResetPlan, of target: ResetTarget, isDryRun: Bool, backup: String?) -> String {
    let name = target.name.map { " \($0)" } ?? ""
    let head = "\(isDryRun ? "would reset" : "reset") \(target.word)\(name)"
    let own = plan.tables.map { ["  table \($0.name)", $0.rows.counted("row")] }
    let tables = [plan.zones.map(row), own, plan.devices.map { row($0, of: target) }].filter { !$0.isEmpty }
    let body = tables.isEmpty ? ["  nothing to take away"] : tables.map { TextTable($0).text(within: Console.columns) }
    return ([head] + body + (backup.map { ["backup: \($0)"] } ?? [])).joined(separator: "\n")
  }

  private static func row(_ plan: ZonePlan) -> [String] {
    let database = plan.zone.database
    return [
      "  zone \(plan.zone.zoneName)", "\(plan.records.counted("record")) to tombstones",
      "\(database.container)/\(database.environment)/\(database.user)/\(database.scope.rawValue)",
    ]
  }

  private static func row(_ plan: DevicePlan, of target: ResetTarget) -> [String] {
    let head = "  device \(plan.device)"
    let positions = plan.positions.counted("position")
    switch target {
    case .tokens: return [head, positions, "\(plan.records.counted("record")) kept"]
    case .local(_, true):
      return [head, plan.records.counted("record"), positions, "\(plan.unsent.counted("edit")) not sent, kept"]
    case .local(_, false), .cloud, .all:
      return [
        head, plan.records.counted("record"), positions, "\(plan.unsent.counted("edit")) not sent, to the journal",
      ]
    }
  }

  static func json(_ plan: ResetPlan, of target: ResetTarget, isDryRun: Bool, backup: String?) -> JSON {
    [
      "event": "reset", "what": .string(target.word), "name": target.name.map { .string($0) } ?? .null,
      "dryRun": .bool(isDryRun), "zones": .array(plan.zones.map(json)),
      "tables": .array(plan.tables.map { ["name": .string($0.name), "rows": .integer(Int64($0.rows))] }),
      "devices": .array(plan.devices.map(json)),
      "backup": backup.map { .string($0) } ?? .null,
    ]
  }

  private static func json(_ plan: ZonePlan) -> JSON {
    let database = plan.zone.database
    return [
      "container": .string(database.container.text), "environment": .string(database.environment.rawValue),
      "user": .string(database.user.text), "scope": .string(database.scope.rawValue),
      "zone": .string(plan.zone.zoneName.text), "records": .integer(Int64(plan.records)),
    ]
  }

  private static func json(_ plan: DevicePlan) -> JSON {
    [
      "name": .string(plan.device), "records": .integer(Int64(plan.records)), "pending": .integer(Int64(plan.unsent)),
      "positions": .integer(Int64(plan.positions)),
    ]
  }
}
