import ZoneKitRecords
import ZoneKitSync

/// Checks the laws of merging at each decision of the merge policy: the result is the same from both sides, a field
/// that only one side changed keeps that change, and a field that both changed has the winner's value.
enum MergeLaws {
  /// A violated law. The raw value is the rule name in the conflict journal for a decision that violates it.
  enum Violation: String {
    /// The other side decides otherwise.
    case sidesDifferAboutResult
    /// Only one side changed a field, and the result does not keep that change.
    case changeOfOneSideNotKept
    /// Both sides changed a field, and the result does not have the winner's value.
    case changeOfBothSidesNotTheWinners
  }

  /// The law that the decision in a journal's entry violates; nil for none.
  static func violation(by entry: ConflictEntry) -> Violation? { Violation(rawValue: entry.rule) }

  /// The app's decision. If it violates a law, its rule name is that of the violation.
  @Sendable static func resolve(_ conflict: Conflict) -> Resolution {
    var resolution = NannyMergePolicy.resolve(conflict)
    let result = content(of: resolution, in: conflict)
    var swapped = conflict
    (swapped.local, swapped.server) = (conflict.server, conflict.local)
    let violation: Violation? =
      if content(of: NannyMergePolicy.resolve(swapped), in: swapped) != result {
        .sidesDifferAboutResult
      } else if losesField(of: conflict, in: result) {
        .changeOfOneSideNotKept
      } else if hasStrayField(of: conflict, in: result) {
        .changeOfBothSidesNotTheWinners
      } else {
        nil
      }
    if let violation { resolution.rule = violation.rawValue }
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

  /// Whether there is a field that only one side changed and that has a different value in the result, except fields that the
  /// app's rules set.
  private static func losesField(of conflict: Conflict, in result: RecordContent?) -> Bool {
    guard let (base, local, server, merged) = versions(of: conflict, with: result) else { return false }
    return usersFields.contains { field in
      let (old, ours, theirs) = (base[field], local[field], server[field])
      if ours == old { return merged[field] != theirs }
      return theirs == old && merged[field] != ours
    }
  }

  /// Whether there is a field that both sides changed and that does not have the winner's value. Without an ancestor all
  /// fields count as changed by both.
  private static func hasStrayField(of conflict: Conflict, in result: RecordContent?) -> Bool {
    var whole = conflict
    whole.ancestor = nil
    guard let (base, local, server, merged) = versions(of: conflict, with: result),
      let winner = try? content(of: NannyMergePolicy.resolve(whole), in: whole)?.fields.decoded()
    else { return false }
    return usersFields.contains { field in
      local[field] != base[field] && server[field] != base[field] && merged[field] != winner[field]
    }
  }

  /// The fields that only users set.
  private static let usersFields: [Name] = ["placename", "latitude", "longitude", "name"]
}
