import ZoneKitRecords
import ZoneKitSync

/// The laws of merging, checked at each decision of the app's merge policy: both sides decide alike, a field that only one
/// side changed keeps that change, and a field that both changed is the winner's.
enum MergeLaws {
  /// Begins the name of the rule under which a decision that breaks a law is in the conflict journal.
  private static let brokenMark = "broken law: "

  /// Whether the decision of a journal's entry broke a law; the entry's rule then says which.
  static func isBroken(by entry: ConflictEntry) -> Bool { entry.rule.hasPrefix(brokenMark) }

  /// The app's decision; one that breaks a law gets the name of that law as its rule.
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

  /// A conflict's versions and its result as fields; nil where one of them is missing or cannot be read.
  private static func versions(
    of conflict: Conflict, with result: RecordContent?
  ) -> (base: Fields, local: Fields, server: Fields, merged: Fields)? {
    guard let base = try? conflict.ancestor?.fields.decoded(), let local = try? conflict.local?.fields.decoded(),
      let server = try? conflict.server?.fields.decoded(), let merged = try? result?.fields.decoded()
    else { return nil }
    return (base, local, server, merged)
  }

  /// A field that only one side changed and that the result holds otherwise; those that the app's rules set by themselves
  /// are left out.
  private static func lostField(of conflict: Conflict, in result: RecordContent?) -> Name? {
    guard let (base, local, server, merged) = versions(of: conflict, with: result) else { return nil }
    return usersFields.first { field in
      let (old, ours, theirs) = (base[field], local[field], server[field])
      if ours == old { return merged[field] != theirs }
      return theirs == old && merged[field] != ours
    }
  }

  /// A field that both sides changed and that is not as it would be if the winner counted as a whole, which it does where
  /// no ancestor is known.
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
