import ZoneKitRecords

/// A table of an app: its columns, its key, and how a row belongs to an account.
package struct Table: Hashable, Sendable {
  /// How a row belongs to an account.
  package enum Ownership: Hashable, Sendable {
    /// The column holds the account.
    case account(column: Name)
    /// The row belongs to the account of the row to which the column refers.
    case row(column: Name)
  }

  /// The table's name.
  package let name: Name
  /// All columns, in the order in which answers list them.
  package let columns: [Column]
  /// The columns that identify a row: one or two.
  package let key: [Name]
  /// How a row belongs to an account.
  package let ownership: Ownership
  /// For a table whose changes make events: the quiet time in milliseconds after which a device fetches them. Nil for the
  /// others.
  package let quiet: Int64?
  /// The names of the columns. There are few, so that one is found by comparing.
  private let names: [Name]
  /// How the fields of the table's records are written.
  let layout: ObjectLayout

  /// A table with exactly those columns.
  package init(_ name: Name, key: [Name], ownership: Ownership, quiet: Int64? = nil, columns: [Column]) {
    self.name = name
    self.columns = columns
    self.key = key
    self.ownership = ownership
    self.quiet = quiet
    names = columns.map(\.name)
    layout = Self.layout(of: columns)
  }

  /// The place of a column is that in the table; `columns.count` is that of the changes that the server has accepted.
  private static func layout(of columns: [Column]) -> ObjectLayout {
    let own = columns.enumerated().filter { $1.isField }.map { (name: $1.name, type: $1.fieldType, place: $0) }
    return ObjectLayout(fields: own + [(AppliedChanges.field, .string, columns.count)])
  }

  /// Whether both tables are described alike.
  package static func == (first: Table, second: Table) -> Bool {
    (first.name, first.columns, first.key, first.ownership, first.quiet)
      == (second.name, second.columns, second.key, second.ownership, second.quiet)
  }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The column of that name; nil if there is none.
  package func column(_ name: Name) -> Column? { place(of: name).map { columns[$0] } }

  /// The place of the column of that name in `columns`; nil if there is none.
  package func place(of name: Name) -> Int? {
    for place in names.indices where names[place] == name { return place }
    return nil
  }

  /// The same where the column is probably at that place, because services list columns in the table's order.
  package func place(of name: Name, probably guess: Int) -> Int? {
    guess < names.count && names[guess] == name ? guess : place(of: name)
  }

  /// The column that refers to the row's owner row, and that row's table; nil for a table whose rows have no owner row.
  package var ownerRow: (column: Name, table: Name)? {
    for column in columns {
      if let key = column.foreignKey, key.isOwner { return (column.name, key.table) }
    }
    return nil
  }
}

extension Table {
  /// The columns of each table of an app whose rows are synchronized. The server writes `updated_at`; `edited_at` is the
  /// time of the edit and `changed_by` the device and its revision.
  package static let stampColumns = [
    Column(.createdAt, .timestamp), Column(.updatedAt, .timestamp), Column(.deletedAt, .timestamp),
    Column(.editedAt, .timestamp), Column(.changedBy, .text),
  ]

  /// A table whose rows have the key `id` and belong to the account in `owner_id`.
  package static func owned(_ name: Name, quiet: Int64? = nil, _ columns: [Column]) -> Table {
    Table(
      name, key: [.id], ownership: .account(column: .ownerID), quiet: quiet,
      columns: [Column(.id, .uuid, isRequired: true), Column(.ownerID, .uuid, isRequired: true)] + columns
        + stampColumns)
  }

  /// A table whose rows have the key `id` and belong to the row in the first column that refers to an owner.
  package static func parts(_ name: Name, of owner: Name, quiet: Int64? = nil, _ columns: [Column]) -> Table {
    Table(
      name, key: [.id], ownership: .row(column: owner), quiet: quiet,
      columns: [Column(.id, .uuid, isRequired: true)] + columns + stampColumns)
  }

  /// A table of pairs, whose two columns are its key. Rows belong to the row in the first one.
  package static func pairs(_ name: Name, _ first: Column, _ second: Column) -> Table {
    Table(
      name, key: [first.name, second.name], ownership: .row(column: first.name),
      columns: [first, second] + stampColumns)
  }
}

extension Name {
  /// The column of a key that is one UUID.
  package static let id: Name = "id"
  /// The column of the account to which a row belongs.
  package static let ownerID: Name = "owner_id"
  /// The column of a row's creation.
  package static let createdAt: Name = "created_at"
  /// The column of the server's stamp.
  package static let updatedAt: Name = "updated_at"
  /// The column of a row's deletion.
  package static let deletedAt: Name = "deleted_at"
  /// The column of the edit stamp.
  package static let editedAt: Name = "edited_at"
  /// The column of the device and revision that wrote a row.
  package static let changedBy: Name = "changed_by"
}
