import ZoneKitRecords
import ZoneKitSync

/// The app's merge policy: three ways by field where the common ancestor is known, so that nothing is lost where two
/// people edit different fields; else the whole version that `ActionConflictResolver` chooses.
///
/// The names it gives to its decisions: those of `ActionConflictResolver.Rule`; `merged` where both versions went into
/// the result; `delete` and `edit` where one side had deleted the record.
package enum NannyMergePolicy {
  /// Which side wins where one side deleted a record and the other edited it.
  package enum Deletion: String, CaseIterable, Hashable, Sendable {
    /// The deletion wins.
    case wins
    /// The edit wins where its stamp is newer than that of the version that was deleted. A deletion has no
    /// stamp; where the deleted version is not known the deletion wins.
    case losesToNewerStamp
  }

  /// The policy for the coordinator's configuration.
  package static func policy(deletion: Deletion = .wins) -> MergePolicy {
    MergePolicy { resolve($0, deletion: deletion) }
  }

  /// Decides one conflict. Swapping the two sides gives the same content by the same rule.
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
    // The cloud's version first: where both sides are equal nothing has to be sent.
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
