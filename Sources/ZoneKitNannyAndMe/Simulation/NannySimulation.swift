import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// NannyAndMe's part of a simulation: random commands, and checks that implement the app's rules a second time in a
/// simple way.
enum NannySimulation {
  /// The properties for `DeviceApp.simulation`.
  static var part: DeviceApp.Simulation {
    var part = DeviceApp.Simulation()
    part.mergePolicy =
      MergeLaws(
        of: MergePolicy { NannyMergePolicy.resolve($0) }, stamp: ActionKeys.updatedAt, forFields: usersFields.contains
      ).policy
    part.judge = judge
    part.judgeRepair = judge
    part.judgeCommand = judge
    part.flaw = flaw
    part.randomLine = randomLine
    part.linesOfDays = ["log diaper pee at 23:30", "log feeding bottle volume 50 at 00:05", "log diaper poo at -9h"]
    return part
  }

  /// The fields that only users set.
  private static let usersFields: Set<Name> = ["placename", "latitude", "longitude", "name"]

  // MARK: Checks

  /// Checks a repair: it may change only an action's end, and the end must be the start of another action of the same
  /// profile and category.
  @Sendable private static func judge(_ repair: DeviceApp.Repaired, _ view: AppView) -> String? {
    guard var before = try? repair.before.fields.decoded(), let after = try? repair.after.fields.decoded() else {
      return "a rule made something of it that cannot be read"
    }
    before[ActionKeys.endDate] = after[ActionKeys.endDate]
    guard before == after else { return "record \(repair.id.words) was changed by a rule in more than its end" }
    let isMet = (try? view.store.records(ofType: BabyAction.recordType))?.contains { record in
      guard record.recordID != repair.id, let other = try? record.local?.fields.decoded() else { return false }
      return record.local?.parent == repair.after.parent && other[ActionKeys.category] == after[ActionKeys.category]
        && other[ActionKeys.startDate] == after[ActionKeys.endDate]
    }
    return isMet == true ? nil : "record \(repair.id.words) was ended by a rule when no other of its line began"
  }

  /// Checks that an action does not end before it starts.
  @Sendable private static func flaw(_ id: RecordID, _ content: RecordContent) -> String? {
    guard let fields = try? content.fields.decoded(), fields[ActionKeys.startDate] != nil,
      fields[ActionKeys.endDate] != nil, time(fields[ActionKeys.endDate]) < time(fields[ActionKeys.startDate])
    else { return nil }
    return "it ends before it starts"
  }

  /// Decides again in a simple way: the newest stamp, then the latest end, with a missing end as the lowest, then the
  /// greater bytes.
  @Sendable private static func judge(_ entry: ConflictEntry) -> String? {
    if let violation = MergeLaws.violation(by: entry) { return violation }
    guard ["updatedAt", "endDate", "content"].contains(entry.rule), let local = entry.local, let server = entry.server,
      local.fields != server.fields, let ours = try? local.fields.decoded(), let theirs = try? server.fields.decoded()
    else { return nil }
    let one = (time(ours["updatedAt"]), time(ours["endDate"]))
    let other = (time(theirs["updatedAt"]), time(theirs["endDate"]))
    guard entry.winner == .local || entry.winner == .server else { return nil }
    let isGreater = one == other ? server.fields.utf8.lexicographicallyPrecedes(local.fields.utf8) : one > other
    let expected: ConflictEntry.Winner = isGreater ? .local : .server
    guard expected != entry.winner else { return nil }
    return
      "\(entry.recordID.words): \(entry.winner.rawValue) won by \(entry.rule); \(expected.rawValue) has the newer stamp, "
      + "the later end or the greater bytes"
  }

  private static func time(_ value: FieldValue?) -> Int64 {
    guard case .timestamp(let time)? = value else { return .min }
    return time.milliseconds
  }
}
