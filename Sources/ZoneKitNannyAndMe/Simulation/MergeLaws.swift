import ZoneKitRecords
import ZoneKitSync

/// Checks the laws of merging at each decision of the merge policy: the result is the same from both sides, a field
/// that only one side changed keeps that change, and a field that both changed has the winner's value.
enum MergeLaws {
  /// The prefix of the rule name in the conflict journal for a decision that violates a law.
  private static let brokenMark = "broken law: "

  /// Whether the decision in a journal's entry violates a law. Its rule name contains the law.
  static func isBroken(by entry: ConflictEntry) -> Bool { entry.rule.hasPrefix(brokenMark) }

  /// The app's decision. If it violates a law, its rule name is that of the law.
  @Sendable static func resolve(_ conflict: Conflict) -> Resolution {
    var resolution = NannyMergePolicy.resolve(conflict)
    let result = content(of: resolution, in: conflict)
    var swapped = conflict
    (swapped.local, swapped.server) = (conflict.server, conflict.local)
    if content(of: NannyMergePolicy.resolve(swapped), in: swapped) != result {
      resolution.rule = brokenMark + "the other side decides otherwise"
    } else if let field = lostField(of: conflict, in: result) {
      resolution.rule = brokenMark + "only one side changed \(field), and that change is not kept"
    } else if let field = strayField(of: conflict, in: result) {
      resolution.rule = brokenMark + "both sides changed \(field), and it is not the winner's"
    }
    return resolution
  }

  private static func content(of resolution: Resolution, in conflict: Conflict) -> RecordContent? {
    switch resolution.outcome {
    case .keepLocal: conflict.local
    case .adoptServer: conflict.server
    case .merged(let content): content
    case .delete: nil
    }
  }

  /// A conflict's versions and its result as fields; nil if one of them is missing or cannot be read.
  private static func versions(
    of conflict: Conflict, with result: RecordContent?
  ) -> (base: Fields, local: Fields, server: Fields, merged: Fields)? {
    guard let base = try? conflict.ancestor?.fields.decoded(), let local = try? conflict.local?.fields.decoded(),
      let server = try? conflict.server?.fields.decoded(), let merged = try? result?.fields.decoded()
    else { return nil }
    return (base, local, server, merged)
  }

  /// A field that only one side changed and that has a different value in the result, except fields that the app's
  /// rules set.
  private static func lostField(of conflict: Conflict, in result: RecordContent?) -> Name? {
    guard let (base, local, server, merged) = versions(of: conflict, with: result) else { return nil }
    return usersFields.first { field in
      let (old, ours, theirs) = (base[field], local[field], server[field])
      if ours == old { return merged[field] != theirs }
      return theirs == old && merged[field] != ours
    }
  }

  /// A field that both sides changed and that does not have the winner's value. Without an ancestor all fields count as
  /// changed by both.
  private static func strayField(of conflict: Conflict, in result: RecordContent?) -> Name? {
    var whole = conflict
    whole.ancestor = nil
    guard let (base, local, server, merged) = versions(of: conflict, with: result),
      let winner = try? content(of: NannyMergePolicy.resolve(whole), in: whole)?.fields.decoded()
    else { return nil }
    return usersFields.first { field in
      local[field] != base[field] && server[field] != base[field] && merged[field] != winner[field]
    }
  }

  /// The fields that only users set.
  private static let usersFields: [Name] = ["placename", "latitude", "longitude", "name"]
}
