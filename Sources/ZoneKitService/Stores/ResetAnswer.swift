import ZoneKitRecords

/// What a running device answers after a reset.
struct ResetAnswer {
  /// What the reset removed.
  let plan: DevicePlan
  /// The path of the backup; nil for none.
  let backup: String?

  /// The answer for the reset of one device.
  init(_ done: (plan: ResetPlan, backup: String?)) {
    (plan, backup) = (done.plan.devices[0], done.backup)
  }

  /// The answer as a line of the control socket.
  var json: JSON {
    [
      "device": .string(plan.device), "records": .integer(Int64(plan.records)),
      "unsent": .integer(Int64(plan.unsent)), "positions": .integer(Int64(plan.positions)),
      "backup": backup.map { .string($0) } ?? .null,
    ]
  }

  /// The answer of that line; nil if it is none.
  init?(_ json: JSON) {
    guard let device = json["device"]?.string, let records = json["records"]?.integer,
      let unsent = json["unsent"]?.integer, let positions = json["positions"]?.integer
    else { return nil }
    plan = DevicePlan(
      device: device, records: Int(records), unsent: Int(unsent), positions: Int(positions))
    backup = json["backup"]?.string
  }
}
