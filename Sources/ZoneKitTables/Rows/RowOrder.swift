import ZoneKitRecords

/// The total order of the versions of a row. Merging keeps the greater version. Servers and devices use this one order, so
/// that all keep the same version in any sequence of arrival.
///
/// A version is greater if its edit stamp is later; with equal stamps if it lives and the other one is deleted; otherwise
/// if the bytes of its other columns are greater. The columns of the owner and of the server's stamps do not count.
package enum RowOrder {
  /// What decided between two different versions.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The later edit stamp.
    case editedAt
    /// Living before deleted.
    case alive
    /// The bytes of the content.
    case content
  }

  /// The result of a comparison.
  package enum Verdict: Hashable, Sendable {
    /// Both versions have the same content.
    case equal
    /// The first version is greater.
    case first(Rule)
    /// The second version is greater.
    case second(Rule)
  }

  /// Compares two versions of a row of that table.
  package static func compare(_ first: Row, _ second: Row, in table: Table) -> Verdict {
    let stamps = (editStamp(first, in: table), editStamp(second, in: table))
    if stamps.0 != stamps.1 { return stamps.0 > stamps.1 ? .first(.editedAt) : .second(.editedAt) }
    let alive = (first[.deletedAt, table] == .null, second[.deletedAt, table] == .null)
    if alive.0 != alive.1 { return alive.0 ? .first(.alive) : .second(.alive) }
    let content = (canonicalBytes(first, in: table), canonicalBytes(second, in: table))
    if content.0 == content.1 { return .equal }
    return content.1.lexicographicallyPrecedes(content.0) ? .first(.content) : .second(.content)
  }

  /// The edit stamp of a version. A version without one counts as made in 1970.
  package static func editStamp(_ row: Row, in table: Table) -> WallTime {
    row[.editedAt, table].time ?? WallTime(milliseconds: 0)
  }

  /// The columns that are no content: the owner, and the stamps of server and edit.
  package static let stamps: Set<Name> = [.ownerID, .updatedAt, .changedBy, .editedAt]

  /// Whether both versions have the same content; their stamps may differ.
  package static func isContentEqual(_ first: Row, _ second: Row, in table: Table) -> Bool {
    for (place, column) in table.columns.enumerated() where !stamps.contains(column.name) {
      if first.values[place] != second.values[place] { return false }
    }
    return true
  }

  /// The canonical text of a version's content.
  package static func canonicalBytes(_ row: Row, in table: Table) -> [UInt8] {
    var fields = Fields()
    for (place, column) in table.columns.enumerated() where !stamps.contains(column.name) {
      fields[column.name] = row.values[place].fieldValue(of: column)
    }
    return EncodedFields(fields).utf8
  }
}
