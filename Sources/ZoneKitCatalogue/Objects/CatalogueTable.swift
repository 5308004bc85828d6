import ZoneKitSchema

/// A table with all that the schema says about it.
package struct CatalogueTable: Equatable, Sendable {
  /// The table's name.
  package var name: ObjectName
  /// Its columns, in their order.
  package var columns: [CatalogueColumn]
  /// Its key; nil if it has none.
  package var primaryKey: KeyConstraint?
  /// The other keys, in the order in which they were made.
  package var uniques: [KeyConstraint] = []
  /// The conditions for its rows.
  package var checks: [CheckConstraint] = []
  /// What its rows refer to.
  package var foreignKeys: [ForeignKeyConstraint] = []
  /// Its indexes, without those of its keys.
  package var indexes: [CatalogueIndex] = []
  /// The triggers, in the order of their names.
  package var triggers: [CatalogueTrigger] = []
  /// Its policies, in the order of their names.
  package var policies: [CataloguePolicy] = []
  /// Whether policies decide about its rows.
  package var hasRowSecurity = false
  /// Whether an event of a change holds the whole row as it was.
  package var isReplicaFull = false
  /// What a comment says about it.
  package var comment: String?

  /// The query of a view; nil for a table.
  package var view: CatalogueView?

  /// The names of all constraints and indexes.
  var constraintNames: Set<String> = []
  /// What roles may do with the table, beside its policies.
  package var privileges = TablePrivileges()

  /// A table with those columns.
  package init(_ name: ObjectName, _ columns: [CatalogueColumn] = []) {
    self.name = name
    self.columns = columns
  }

  /// The column of that name.
  package func column(_ name: String) -> CatalogueColumn? { index(of: name).map { columns[$0] } }

  /// The place of the column of that name among the columns.
  package func index(of name: String) -> Int? { columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }

  /// The column that decides between two versions of a row, which the comment names behind `@zonekit arbiter`; nil if the last
  /// write wins.
  package var arbiter: String? { comment.flatMap { Self.arbiter(in: $0) } }

  /// The word behind `@zonekit arbiter` in a comment; nil if there is none.
  static func arbiter(in comment: String) -> String? {
    let words = comment.split { $0 == " " || $0 == "\n" || $0 == "\t" }
    let place = words.indices.first { words[$0] == "@zonekit" && words[$0...].dropFirst().first == "arbiter" }
    return place.flatMap { words[$0...].dropFirst(2).first }.map { String($0) }
  }

  /// The primary key and the other keys.
  package var keys: [KeyConstraint] { (primaryKey.map { [$0] } ?? []) + uniques }
}
