import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// How the rows of one table belong to those of another (PostgREST: resource embedding).
struct Relationship {
  /// A table between two others, each row of which joins a row of both.
  struct Junction {
    /// The table.
    let table: PreparedTable
    /// Its columns that refer to the origin.
    let originColumns: [Int]
    /// Its columns that refer to the target.
    let targetColumns: [Int]
  }

  /// The reference's name; those of both for a table between.
  let names: [String]
  /// The table whose rows have related ones.
  let origin: PreparedTable
  /// The table of the related rows.
  let target: PreparedTable
  /// Whether a row has at most one related row.
  let isToOne: Bool
  /// The columns of the origin that tell which rows are related.
  let originColumns: [Int]
  /// The columns of the target that the origin's or the junction's are compared with.
  let targetColumns: [Int]
  /// The table between; nil if one refers to the other.
  let junction: Junction?
  /// By what a hint or a target can name it, beside its names.
  let words: [String]
  /// Its kind in PostgREST's words.
  let cardinality: String
  /// Whether the origin refers to the target.
  let isReference: Bool

  /// The table that the origin refers to.
  init(from origin: PreparedTable, to target: PreparedTable, by reference: PreparedReference) {
    names = [reference.name]
    (self.origin, self.target) = (origin, target)
    (originColumns, targetColumns) = (reference.columns, reference.parentColumns)
    (isToOne, junction, isReference) = (true, nil, true)
    words = reference.columnNames.count == 1 ? reference.columnNames + reference.parentNames : []
    cardinality = "many-to-one"
  }

  /// The table that refers to the origin.
  init(of origin: PreparedTable, from target: PreparedTable, by reference: PreparedReference) {
    names = [reference.name]
    (self.origin, self.target) = (origin, target)
    (originColumns, targetColumns) = (reference.parentColumns, reference.columns)
    let columns = Set(reference.columns)
    isToOne = target.keys.contains { key in key.condition == nil && key.columns.map { Set($0) } == columns }
    (junction, isReference) = (nil, false)
    words = reference.columnNames.count == 1 ? reference.columnNames + reference.parentNames : []
    cardinality = isToOne ? "one-to-one" : "one-to-many"
  }

  /// The table that a third one joins with the origin by two references.
  init(
    of origin: PreparedTable, by own: PreparedReference, _ table: PreparedTable, _ other: PreparedReference,
    to target: PreparedTable
  ) {
    names = [own.name, other.name]
    (self.origin, self.target) = (origin, target)
    (originColumns, targetColumns) = (own.parentColumns, other.parentColumns)
    junction = Junction(table: table, originColumns: own.columns, targetColumns: other.columns)
    (isToOne, isReference) = (false, false)
    words = [table.name.name]
    cardinality = "many-to-many"
  }

  /// What to write behind the target to mean this one.
  var hint: String { junction?.table.name.name ?? names[0] }

  /// Whether a hint names it.
  func isNamed(_ hint: String) -> Bool {
    (junction == nil ? names + words : words).contains { $0.utf8.elementsEqual(hint.utf8) }
  }
}

extension Relationship {
  /// The one from a table that a target and a hint name.
  static func named(
    _ target: String, hint: String?, from origin: PreparedTable, in schema: PreparedSchema
  ) throws(RowError) -> Relationship {
    let all = all(from: origin, in: schema)
    var found = all.filter { one in
      one.target.name.name.utf8.elementsEqual(target.utf8)
        || (one.junction == nil && one.names[0].utf8.elementsEqual(target.utf8))
        || (one.isReference && one.words.first?.utf8.elementsEqual(target.utf8) ?? false)
    }
    if let hint { found = found.filter { $0.isNamed(hint) } }
    // The name of a reference stands for its table, also where a view shows the table.
    let tables = found.filter { $0.target.view == nil }
    if found.count > 1, !found.contains(where: { $0.target.name.name.utf8.elementsEqual(target.utf8) }), !tables.isEmpty
    {
      found = tables
    }
    switch found.count {
    case 1: return found[0]
    case 0:
      let known = Set(all.map(\.target.name.name)).sorted()
      throw .noRelationship(
        origin.name.name, target, hint: hint, nearest: NearMiss.guess(for: target, among: known))
    default:
      throw .severalRelationships(
        origin.name.name, target,
        details: found.map { "\($0.cardinality) by \($0.names.joined(separator: " and "))" },
        forms: found.map { "\($0.target.name.name)!\($0.hint)" })
    }
  }

  /// All from a table to tables that clients may name.
  private static func all(from origin: PreparedTable, in schema: PreparedSchema) -> [Relationship] {
    var all: [Relationship] = []
    for reference in origin.parents {
      guard let target = schema.tables[reference.parent] else { continue }
      all.append(Relationship(from: origin, to: target, by: reference))
    }
    for own in origin.children {
      guard let child = schema.tables[own.child] else { continue }
      all.append(Relationship(of: origin, from: child, by: own))
      let key = Set(child.keys.first { $0.name == child.catalogue.primaryKey?.name }?.columns ?? [])
      for other in child.parents where other.name != own.name {
        guard key.isSuperset(of: own.columns + other.columns), let target = schema.tables[other.parent] else {
          continue
        }
        all.append(Relationship(of: origin, by: own, child, other, to: target))
      }
    }
    return all.filter { $0.target.name.schema == ObjectName.usualSchema }
  }
}
