import ZoneKitRecords
import ZoneKitSync

/// The app's merge policy: a three-way merge by field if the common ancestor is known, so that nothing is lost if two
/// people edit different fields; otherwise the version that `ActionConflictResolver` chooses.
///
/// Its rule names are those of `ActionConflictResolver.Rule`; `merged` if the result contains parts of both versions;
/// and `delete` and `edit` if one side had deleted the record.
package enum NannyMergePolicy {
  /// Which side wins if one side deleted a record and the other edited it.
  package enum Deletion: String, CaseIterable, Hashable, Sendable {
    /// The deletion wins.
    case wins
    /// The edit wins if its stamp is newer than that of the deleted version, because a deletion has no stamp. If the
    /// deleted version is not known, the deletion wins.
    case losesToNewerStamp
  }

  /// The policy for the configuration of a coordinator.
  package static func policy(deletion: Deletion = .wins) -> MergePolicy {
    MergePolicy { resolve($0, deletion: deletion) }
  }

  /// Decides a conflict. Swapping the two sides gives the same content by the same rule.
  package static func resolve(_ conflict: Conflict, deletion: Deletion = .wins) -> Resolution {
    guard let local = conflict.local else {
      let editWins = isEditKept(conflict.server, ancestor: conflict.ancestor, deletion)
      return editWins ? Resolution(.adoptServer, rule: "edit") : Resolution(.keepLocal, rule: "delete")
    }
    guard let server = conflict.server else {
      let editWins = isEditKept(local, ancestor: conflict.ancestor, deletion)
      return editWins ? Resolution(.keepLocal, rule: "edit") : Resolution(.adoptServer, rule: "delete")
    }
    let (merged, rule) = merge(local, server, conflict)
    // The cloud's version is compared first: if it is the result, nothing has to be sent.
    if merged == server { return Resolution(.adoptServer, rule: rule) }
    if merged == local { return Resolution(.keepLocal, rule: rule) }
    return Resolution(.merged(merged), rule: rule)
  }

  private static func isEditKept(_ edit: RecordContent?, ancestor: RecordContent?, _ deletion: Deletion) -> Bool {
    switch deletion {
    case .wins: return false
    case .losesToNewerStamp:
      guard let edit, let ancestor else { return false }
      return ActionConflictResolver.rank(of: edit).updatedAt > ActionConflictResolver.rank(of: ancestor).updatedAt
    }
  }

  private static func merge(
    _ local: RecordContent, _ server: RecordContent, _ conflict: Conflict
  ) -> (RecordContent, rule: String) {
    let local = local.normalised(recordType: conflict.recordType)
    let server = server.normalised(recordType: conflict.recordType)
    let decision = ActionConflictResolver.decide(
      ActionConflictResolver.rank(of: local), ActionConflictResolver.rank(of: server))
    let winner = decision.firstWins ? local : server
    guard let ancestor = conflict.ancestor?.normalised(recordType: conflict.recordType),
      let base = try? ancestor.fields.decoded(), let localFields = try? local.fields.decoded(),
      let serverFields = try? server.fields.decoded()
    else { return (winner, decision.rule.rawValue) }
    let fields = FieldMerge.merge(
      local: localFields, server: serverFields, ancestor: base, winner: decision.firstWins ? .local : .server)
    let parent = mergedParent(local, server, ancestor, winner: winner)
    let merged = RecordContent(fields: EncodedFields(fields), parent: parent)
      .normalised(recordType: conflict.recordType)
    return (merged, merged == winner ? decision.rule.rawValue : "merged")
  }

  private static func mergedParent(
    _ local: RecordContent, _ server: RecordContent, _ ancestor: RecordContent, winner: RecordContent
  ) -> Name? {
    if local.parent == ancestor.parent { return server.parent }
    return server.parent == ancestor.parent ? local.parent : winner.parent
  }
}
