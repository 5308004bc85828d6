import ZoneKitRecords
import ZoneKitTables

/// Decides between a version that a writer offers and the one that is stored. Of all versions that were ever offered the
/// server keeps the greatest by `RowOrder`, in any order of arrival.
package struct RowArbiter {
  /// The decision on one offered version.
  package enum Decision: Hashable, Sendable {
    /// The row is new and is stored like this.
    case insert(Row)
    /// The row is stored like this. If the writer named another version than the one that was stored, that one
    /// lost by the rule.
    case update(Row, lost: RowOrder.Rule?)
    /// The stored row has this content already.
    case same
    /// The stored row is what the writer's revision became.
    case repeated
    /// The stored row stays. The offered version lost by the rule.
    case keep(lost: Row, RowOrder.Rule)
  }

  /// The row's table.
  package let table: Table
  /// The server's time.
  package let now: WallTime
  /// How far an edit stamp may be ahead of it, in milliseconds.
  package let stampLead: Int64

  /// An arbiter at that time.
  package init(table: Table, now: WallTime, stampLead: Int64 = RowLimits().stampLead) {
    self.table = table
    self.now = now
    self.stampLead = stampLead
  }

  /// The decision on the offered columns of a row, over the stored row and its accepted changes.
  package func decision(
    on content: RowContent, over stored: Row?, applied: AppliedChanges = AppliedChanges()
  ) -> Decision {
    guard let stored else { return .insert(inserted(content)) }
    if let revision = content.revision, applied.has(revision, hash: content.hash) { return .repeated }
    var offered = merged(content, into: stored)
    if RowOrder.isContentEqual(offered, stored, in: table) { return .same }
    let seen = content[.updatedAt].map { $0 == stored[.updatedAt, table] } ?? false
    let isReplaced = content.revision.map { applied.hasLater(than: $0) } ?? false
    offered[.editedAt, table] = .timestamp(editStamp(of: content, over: stored, seen: seen, isReplaced: isReplaced))
    switch RowOrder.compare(offered, stored, in: table) {
    case .first(let rule):
      return .update(offered, lost: seen || content.namesNoVersion || isUnwritten(stored) ? nil : rule)
    case .second(let rule): return .keep(lost: offered, rule)
    // The content differs, so the versions are not equal.
    case .equal: return .same
    }
  }

  /// Whether nobody wrote the row: the server made it with the account, and the beginning of time is its stamp.
  private func isUnwritten(_ row: Row) -> Bool {
    row[.changedBy, table] == .null && RowOrder.editStamp(row, in: table).milliseconds == 0
  }

  /// The edit stamp of an offered version. A writer that knew the stored version, or that sent no stamp, edits that
  /// version, so its stamp is later. No stamp is far ahead of the server's clock: one that is cut says when the version
  /// arrived. A second copy of a request would therefore win against the writer's next edit, so a version that its writer
  /// has replaced already gets a stamp before the stored one.
  private func editStamp(
    of content: RowContent, over stored: Row, seen: Bool, isReplaced: Bool
  ) -> WallTime {
    let edited = content[.editedAt]?.time
    let updated = content[.updatedAt]?.time
    let named = edited ?? (seen ? now : updated ?? now)
    let stamp = min(named, now.advanced(byMilliseconds: stampLead))
    if isReplaced, !seen, stamp < named {
      return min(stamp, RowOrder.editStamp(stored, in: table).advanced(byMilliseconds: -1))
    }
    guard seen || content.namesNoVersion else { return stamp }
    return max(stamp, RowOrder.editStamp(stored, in: table).advanced(byMilliseconds: 1))
  }

  /// A new row: the columns offered, and the defaults of the others.
  private func inserted(_ content: RowContent) -> Row {
    var row = Row(table.columns.map { content[$0.name] ?? $0.defaultValue })
    if content[.createdAt] == nil { row[.createdAt, table] = .timestamp(now) }
    let stamp = content[.editedAt]?.time ?? content[.updatedAt]?.time ?? now
    row[.editedAt, table] = .timestamp(min(stamp, now.advanced(byMilliseconds: stampLead)))
    return row
  }

  /// The stored row with the columns offered. The author is the writer, whether it names itself or not.
  private func merged(_ content: RowContent, into stored: Row) -> Row {
    var row = stored
    for (place, column) in table.columns.enumerated() where column.name != .updatedAt {
      if let value = content[column.name] { row.values[place] = value }
    }
    row[.changedBy, table] = content[.changedBy] ?? .null
    return row
  }
}

extension RowContent {
  /// Whether the writer sends no stamp. It then edits the version that is stored, whichever that is.
  fileprivate var namesNoVersion: Bool { self[.editedAt]?.time == nil && self[.updatedAt]?.time == nil }

  /// The device and revision that the writer names; nil if it names none.
  package var revision: RowRevision? { self[.changedBy]?.text.flatMap { RowRevision($0) } }

  /// A hash of what was sent, without the owner, the author and the version that the writer knew.
  package var hash: UInt64 {
    var text: [UInt8] = []
    text.reserveCapacity(512)
    for member in members where !Self.unhashed.contains(member.column) {
      text.appendJSONString(member.column.text)
      text.append(member.value)
    }
    return UInt64(truncatingIfNeeded: FNV1a.hash(text))
  }

  private static let unhashed: [Name] = [.ownerID, .updatedAt, .changedBy]
}
