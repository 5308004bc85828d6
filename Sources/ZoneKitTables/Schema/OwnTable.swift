import ZoneKitRecords

/// The tables that a server keeps itself, beside those of an app. Clients read them and cannot write them.
package enum OwnTable: Hashable, Sendable {
  /// The rows that were removed for good.
  case deletions
  /// The versions of rows that lost against others.
  case conflicts
  /// The tables whose changes make events.
  case publications

  /// The table of that name; nil if it is not one of these.
  package init?(_ name: Name) {
    switch name {
    case Self.deletionTable.name: self = .deletions
    case Self.conflictTable.name: self = .conflicts
    case Self.publicationTable.name: self = .publications
    default: return nil
    }
  }

  /// The table's description.
  package var table: Table {
    switch self {
    case .deletions: Self.deletionTable
    case .conflicts: Self.conflictTable
    case .publications: Self.publicationTable
    }
  }

  private static let deletionTable = Table(
    "row_deletions", key: [.id], ownership: .account(column: .ownerID),
    columns: [
      Column(.id, .text, isRequired: true), Column("table_name", .text, isRequired: true),
      Column("key", .text, isRequired: true), Column(.updatedAt, .timestamp),
    ])
  private static let conflictTable = Table(
    "conflict_log", key: [.id], ownership: .account(column: .ownerID),
    columns: [
      Column(.id, .uuid, isRequired: true), Column(.ownerID, .uuid, isRequired: true),
      Column("table_name", .text, isRequired: true), Column("key", .text, isRequired: true), Column("rule", .text),
      Column("winner", .text), Column("loser", .text), Column("loser_device", .text), Column("decided_at", .timestamp),
      Column(.updatedAt, .timestamp),
    ])
  private static let publicationTable = Table(
    "pg_publication_tables", key: ["tablename"], ownership: .account(column: .ownerID),
    columns: [Column("pubname", .text), Column("schemaname", .text), Column("tablename", .text)])
}
