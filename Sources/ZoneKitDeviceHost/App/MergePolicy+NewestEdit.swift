import ZoneKitRecords
import ZoneKitSync

extension MergePolicy {
  /// The version with the newest edit stamp wins, and of two with the same stamp the one with the greater content. If the
  /// common ancestor is known, a field that only one side changed keeps that change. A version without a stamp in that field
  /// counts as the oldest.
  ///
  /// Its rule names are `updatedAt`, and `merged` if the result has fields of both versions.
  package static func newestEdit(stamp: Name) -> MergePolicy {
    MergePolicy { conflict in
      guard let local = conflict.local, let server = conflict.server else { return Resolution(.delete, rule: "delete") }
      let localWins = isNewer(local, than: server, stamp: stamp)
      let winner = localWins ? local : server
      var merged = winner
      if let ours = try? local.fields.decoded(), let theirs = try? server.fields.decoded(),
        let ancestor = try? conflict.ancestor?.fields.decoded()
      {
        merged.fields = EncodedFields(
          FieldMerge.merge(local: ours, server: theirs, ancestor: ancestor, winner: localWins ? .local : .server))
      }
      let rule = merged == winner ? "updatedAt" : "merged"
      if merged == server { return Resolution(.adoptServer, rule: rule) }
      if merged == local { return Resolution(.keepLocal, rule: rule) }
      return Resolution(.merged(merged), rule: "merged")
    }
  }

  /// Whether the first version wins as a whole over the second one by the policy `newestEdit`.
  package static func isNewer(_ first: RecordContent, than second: RecordContent, stamp: Name) -> Bool {
    let (one, other) = (time(of: first, in: stamp), time(of: second, in: stamp))
    return one == other ? second.fields.utf8.lexicographicallyPrecedes(first.fields.utf8) : one > other
  }

  /// Returns what is wrong with the decision that a journal has of the policy `newestEdit`, as a sentence; nil if it is right.
  package static func flaw(ofNewestEdit entry: ConflictEntry, stamp: Name) -> String? {
    guard entry.rule == "updatedAt", let local = entry.local, let server = entry.server, local != server else {
      return nil
    }
    let expected: ConflictEntry.Winner = isNewer(local, than: server, stamp: stamp) ? .local : .server
    guard entry.winner != expected, entry.winner == .local || entry.winner == .server else { return nil }
    return "\(entry.recordID.words): \(entry.winner.rawValue) won, and the newer is \(expected.rawValue)"
  }

  private static func time(of content: RecordContent, in stamp: Name) -> WallTime {
    guard case .timestamp(let time)? = (try? content.fields.decoded())?[stamp] else {
      return WallTime(milliseconds: 0)
    }
    return time
  }
}
