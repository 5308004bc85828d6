import ZoneKitRecords
import ZoneKitSync

/// At most one action of a category runs for a profile.
///
/// Two devices that each start one offline both keep theirs; when the two meet, the one that started earlier is ended
/// at the start of the other. Every device that sees both computes the same bytes, so that it does not matter which one
/// sends them. The stamp stays that of the ended action: an action with an end already beats the same action without
/// one, and an edit of a person who saw that version must beat this repair.
package enum RunningActionRule {
  /// An action that the rule ended.
  package struct Repair: Hashable, Sendable {
    /// The action with its new end.
    package var ended: BabyAction
    /// The action at whose start it ended.
    package var successor: RecordID

    /// An action that ended at the start of another.
    package init(ended: BabyAction, successor: RecordID) {
      self.ended = ended
      self.successor = successor
    }

    /// What the coordinator is to do: the running version goes to the journal under the rule's name.
    package var edit: RecordEdit {
      .repair(
        ended.id, type: BabyAction.recordType, fields: ended.fields, parent: ended.parent, rule: RunningActionRule.name)
    }
  }

  /// The name of the rule in journals.
  package static let name = "oneRunning"

  /// What has to be ended among those actions, in the order of zone, profile, category and start. Of equal starts the
  /// smaller record name counts as the earlier.
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
