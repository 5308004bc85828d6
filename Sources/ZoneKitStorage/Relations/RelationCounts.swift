import ZoneKitRecords
import ZoneKitTables

/// The rows of a user's own tables, as their file has them. The schema is not needed for that.
package struct RelationCounts {
  /// The number of rows of a table.
  package struct Table: Hashable, Sendable {
    /// The table's name; with its schema unless that is `public`.
    package var name: String
    /// The number of its rows.
    package var rows: Int
  }

  /// The tables in the order of their names, with `storage.objects` and without the other tables of the server.
  package let tables: [Table]
  private let path: String

  /// The rows of an app below the cloud's folder, which a server may be using; nil if there are none.
  package init?(root: String, app: TableApp) throws(StoreError) {
    path = RelationFiles.path(root: root, app: app)
    guard Folder.exists(path), !Folder.isEmpty(path) else { return nil }
    let origin = FileOrigin(container: app.container, environment: app.environment)
    let connection = try Connection(path, as: .relations, access: .observe, origin: origin)
    let names = try Statement("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", on: connection).all {
      $0.text(0)
    }
    var tables: [Table] = []
    for name in names {
      let isOwn = name.hasPrefix("public.")
      guard isOwn || name == "storage.objects" else { continue }
      let count = try Statement("SELECT count(*) FROM \(name.quotedForSQLite)", on: connection).first { $0.integer(0) }
      tables.append(Table(name: isOwn ? String(name.dropFirst(7)) : name, rows: Int(count ?? 0)))
    }
    self.tables = tables
  }

  /// Removes the tables with their rows. The caller holds the cloud's lock. The next server makes them again, with the rows that
  /// the schema inserts.
  package func remove() throws(StoreError) {
    // The file goes last: a log that is left behind would become part of the next file.
    for end in ["-shm", "-wal", ""] where Folder.exists(path + end) { try Folder.remove(path + end) }
  }
}
