import ZoneKitRecords
import ZoneKitSync

/// Checks the laws of merging at each decision of a merge policy: the result is the same from both sides, a field that only
/// one side changed keeps that change, and a field that both changed has the winner's value. Without a common ancestor all
/// fields are those of one side. The result has the later edit stamp. For simulations.
package struct MergeLaws: Sendable {
  /// A violated law. The raw value is the rule name in the conflict journal for a decision that violates it.
  package enum Violation: String, CaseIterable, Sendable {
    /// The other side decides otherwise.
    case sidesDifferAboutResult
    /// Only one side changed a field, and the result does not keep that change.
    case changeOfOneSideNotKept
    /// Both sides changed a field, and the result does not have the winner's value.
    case changeOfBothSidesNotTheWinners
    /// No common ancestor is known, and the result has fields of both sides.
    case mixedWithoutAncestor
    /// The result has another edit stamp than the later one of both sides.
    case stampNotTheLater
  }

  private let decide: @Sendable (Conflict) -> Resolution
  private let merges: @Sendable (Name) -> Bool
  private let stamp: Name

  /// The laws for that policy. `stamp` is the field of the edit stamp. `merges` says of a field whether it merges by itself,
  /// and not by another rule of the app.
  package init(of policy: MergePolicy, stamp: Name, forFields merges: @escaping @Sendable (Name) -> Bool) {
    decide = policy.resolve
    self.stamp = stamp
    self.merges = merges
  }

  /// The law that the decision in a journal's entry violates, as a sentence; nil for none.
  package static func violation(by entry: ConflictEntry) -> String? {
    Violation(rawValue: entry.rule).map {
      "the decision about \(entry.recordID.words) breaks a law of merging: \($0.rawValue)"
    }
  }

  /// The policy that decides alike. If a decision violates a law, its rule name is that of the violation.
  package var policy: MergePolicy {
    MergePolicy { conflict in
      var resolution = decide(conflict)
      if let violation = violation(by: resolution, in: conflict) { resolution.rule = violation.rawValue }
      return resolution
    }
  }

  private func violation(by resolution: Resolution, in conflict: Conflict) -> Violation? {
    let result = content(of: resolution, in: conflict)
    var swapped = conflict
    (swapped.local, swapped.server) = (conflict.server, conflict.local)
    guard content(of: decide(swapped), in: swapped) == result else { return .sidesDifferAboutResult }
    guard let versions = Versions(conflict, result) else { return nil }
    guard versions.hasLaterStamp(stamp) else { return .stampNotTheLater }
    let fields = versions.names.filter(merges)
    guard let base = try? conflict.ancestor?.fields.decoded() else {
      return versions.isOfOneSide(fields) ? nil : .mixedWithoutAncestor
    }
    if fields.contains(where: { versions.losesChange(of: $0, since: base) }) { return .changeOfOneSideNotKept }
    return hasStrayField(fields, of: versions, since: base, in: conflict) ? .changeOfBothSidesNotTheWinners : nil
  }

  private func content(of resolution: Resolution, in conflict: Conflict) -> RecordContent? {
    switch resolution.outcome {
    case .keepLocal: conflict.local
    case .adoptServer: conflict.server
    case .merged(let content): content
    case .delete: nil
    }
  }

  /// Whether one of the fields was changed by both sides and does not have the value of the side that wins as a whole.
  private func hasStrayField(
    _ fields: [Name], of versions: Versions, since base: Fields, in conflict: Conflict
  ) -> Bool {
    var whole = conflict
    whole.ancestor = nil
    guard let winner = try? content(of: decide(whole), in: whole)?.fields.decoded() else { return false }
    return fields.contains { field in
      versions.local[field] != base[field] && versions.server[field] != base[field]
        && versions.merged[field] != winner[field]
    }
  }

  /// Both sides of a conflict and its result.
  private struct Versions {
    let local: Fields
    let server: Fields
    let merged: Fields

    /// The versions; nil if one of them is missing or cannot be read.
    init?(_ conflict: Conflict, _ result: RecordContent?) {
      guard let local = try? conflict.local?.fields.decoded(), let server = try? conflict.server?.fields.decoded(),
        let merged = try? result?.fields.decoded()
      else { return nil }
      (self.local, self.server, self.merged) = (local, server, merged)
    }

    /// The names of all fields.
    var names: [Name] { Set((local.sorted + server.sorted + merged.sorted).map(\.name)).sorted() }

    /// Whether the result has the later stamp of both sides. A version without one counts as the oldest.
    func hasLaterStamp(_ field: Name) -> Bool {
      let times = [local, server, merged].map { version -> WallTime? in
        if case .timestamp(let time)? = version[field] { time } else { nil }
      }
      return times[2] == times[..<2].compactMap(\.self).max()
    }

    /// Whether all those fields are the same as on one side.
    func isOfOneSide(_ fields: [Name]) -> Bool {
      fields.allSatisfy { merged[$0] == local[$0] } || fields.allSatisfy { merged[$0] == server[$0] }
    }

    /// Whether only one side changed the field, and the result has another value.
    func losesChange(of field: Name, since base: Fields) -> Bool {
      if local[field] == base[field] { return merged[field] != server[field] }
      return server[field] == base[field] && merged[field] != local[field]
    }
  }
}
