import ZoneKitRecords
import ZoneKitSync

/// Chooses between two versions of a record: the newest `updatedAt`; on a tie the latest end, where a running action
/// has the lowest; on a tie the greater canonical bytes.
///
/// This is a total order on content, and comparison is exact: both devices choose the same version. A tolerance would
/// not be transitive and would make devices exchange versions without end. A profile has no end, so its second step
/// always ties.
package enum ActionConflictResolver {
  /// The rule that decided, with its name in journals.
  package enum Rule: String, CaseIterable, Hashable, Sendable {
    case updatedAt
    case endDate
    case content
    /// The versions are equal.
    case equal
  }

  /// The position of a version in the order.
  package struct Rank: Hashable, Sendable {
    let updatedAt: WallTime
    let endDate: WallTime?
    let bytes: [UInt8]
  }

  /// The position of a record's content in the order. Content that cannot be read has the oldest stamp and no end.
  package static func rank(of content: RecordContent) -> Rank {
    let fields = content.readableFields
    var reader = FieldReader(fields)
    let bytes = content.fields.utf8 + [0] + Array((content.parent?.text ?? "").utf8)
    return Rank(
      updatedAt: reader.time(ActionKeys.updatedAt) ?? .oldestStamp, endDate: reader.time(ActionKeys.endDate),
      bytes: bytes)
  }

  /// Whether the first version wins, and by which rule. It wins if both are equal.
  package static func decide(_ first: Rank, _ second: Rank) -> (firstWins: Bool, rule: Rule) {
    if first.updatedAt != second.updatedAt { return (first.updatedAt > second.updatedAt, .updatedAt) }
    if first.endDate != second.endDate { return (isLater(first.endDate, second.endDate), .endDate) }
    if first.bytes == second.bytes { return (true, .equal) }
    return (second.bytes.lexicographicallyPrecedes(first.bytes), .content)
  }

  /// The version that both sides keep if no common ancestor is known: the winner of the two after the app's rules were
  /// applied to each.
  package static func winner(_ first: RecordContent, _ second: RecordContent, recordType: Name) -> RecordContent {
    let first = first.normalised(recordType: recordType)
    let second = second.normalised(recordType: recordType)
    return decide(rank(of: first), rank(of: second)).firstWins ? first : second
  }

  private static func isLater(_ first: WallTime?, _ second: WallTime?) -> Bool {
    guard let first else { return false }
    guard let second else { return true }
    return first > second
  }
}
