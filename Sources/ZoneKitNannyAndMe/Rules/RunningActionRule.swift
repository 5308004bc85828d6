import ZoneKitRecords
import ZoneKitSync

/// At most one action of a category is running for a profile.
///
/// If two devices each start one offline, both have one. After merging, the one that started earlier is ended at the
/// start of the other. Every device that has both computes the same bytes, so any of them may send the repair. The
/// stamp of the ended action is unchanged: with an equal stamp, an action with an end already wins over one without,
/// and a user's edit of the running version must win over the repair.
package enum RunningActionRule {
  /// An action that the rule ended.
  package struct Repair: Hashable, Sendable {
    /// The action with its new end.
    package var ended: BabyAction
    /// The action at whose start it ended.
    package var successor: RecordID

    /// A repair of an action.
    package init(ended: BabyAction, successor: RecordID) {
      self.ended = ended
      self.successor = successor
    }

    /// The edit for the coordinator. The running version is added to the journal under the rule's name.
    package var edit: RecordEdit {
      .repair(
        ended.id, type: BabyAction.recordType, fields: ended.fields, parent: ended.parent, rule: RunningActionRule.name)
    }
  }

  /// The name of the rule in journals.
  package static let name = "oneRunning"

  /// The repairs for those actions, ordered by zone, profile, category and start. Of equal starts the smaller record
  /// name counts as the earlier one.
  package static func repairs(of actions: some Sequence<BabyAction>) -> [Repair] {
    let running = actions.filter(\.isRunning).sorted(by: precedes)
    return zip(running, running.dropFirst()).compactMap { earlier, later in
      guard isSameLine(earlier, later) else { return nil }
      var ended = earlier
      ended.endDate = later.startDate
      return Repair(ended: ended, successor: later.id)
    }
  }

  private static func isSameLine(_ first: BabyAction, _ second: BabyAction) -> Bool {
    first.id.zoneID == second.id.zoneID && first.parent == second.parent && first.category == second.category
  }

  private static func precedes(_ first: BabyAction, _ second: BabyAction) -> Bool {
    if first.id.zoneID != second.id.zoneID { return first.id.zoneID < second.id.zoneID }
    return (first.parent ?? "", first.category.rawValue, first.startDate, first.id.recordName)
      < (second.parent ?? "", second.category.rawValue, second.startDate, second.id.recordName)
  }
}
