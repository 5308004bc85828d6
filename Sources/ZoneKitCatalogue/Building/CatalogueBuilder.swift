import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Makes a catalogue of the statements of a schema, one after another, with PostgreSQL's rules and messages.
///
/// The statements behind one with a problem are done nevertheless, so that one reading finds all problems. A schema with a
/// problem is not served.
package struct CatalogueBuilder {
  /// What the statements so far have made.
  package var catalogue = Catalogue()
  /// The names of tables and indexes, which share one space.
  var relationNames: Set<ObjectName> = Set(BuiltInTables.all.keys)
  /// The privileges that tables have when they are made, in their order.
  private(set) var defaultPrivileges: [GrantStatement] = []
  /// The tables that were not made because their statements have problems.
  var refusedTables: Set<ObjectName> = []
  /// The tables whose columns refer to a table.
  var referrers: [ObjectName: Set<ObjectName>] = [BuiltInTables.buckets: [BuiltInTables.objects]]
  /// The names of indexes that the statement in progress makes.
  var newIndexNames: Set<ObjectName> = []
  /// The next number behind a name that PostgreSQL would choose, by the name without a number.
  var nameNumbers: [String: Int] = [:]
  private var found: [(offset: Int, message: String)] = []
  var isRefused = false
  /// The number of functions that were made so far, with those that were replaced.
  var functionCount = 0
  /// The sequences.
  var sequences: Set<ObjectName> = []
  /// The answers that stand for functions, by the functions' names.
  let fixedAnswers: [String: FixedAnswer]

  /// A builder of an empty catalogue. The answers stand for the functions of those names, instead of what these do.
  package init(answers fixedAnswers: [String: FixedAnswer] = [:]) { self.fixedAnswers = fixedAnswers }

  /// Does the statements of a file. Returns all problems of the file, first those of the reading.
  package mutating func add(_ reading: SchemaReading, of text: SchemaText) -> [SchemaProblem] {
    for table in reading.refusedTables { refusedTables.insert(Catalogue.full(table)) }
    return reading.problems + add(reading.statements, of: text)
  }

  /// Does the statements of a file. Returns the problems in the order of the text.
  package mutating func add(_ statements: [LocatedStatement], of text: SchemaText) -> [SchemaProblem] {
    found = []
    for statement in statements {
      isRefused = false
      newIndexNames = []
      apply(statement.statement, at: statement.offset)
    }
    return text.problems(found)
  }

  /// Notes a problem of the statement that is being done.
  mutating func refuse(_ message: String, at offset: SourceOffset) {
    found.append((offset.bytes, message))
    isRefused = true
  }

  /// Whether the statement that is being done has no problem so far.
  var isAccepted: Bool { !isRefused }

  private mutating func apply(_ statement: SchemaStatement, at offset: SourceOffset) {
    switch statement {
    // These have no effect here: a schema is served as a whole or not at all, by one server with one owner.
    case .transaction, .setting, .createExtension, .withoutEffect: break
    case .createSchema(let name, _): createSchema(name, at: offset)
    case .createEnum(let type): create(type)
    case .addEnumValue(let value): add(value)
    case .createTable(let table): create(table, at: offset)
    case .createView(let view): create(view, at: offset)
    case .alterTable(let change): alter(change, at: offset)
    case .rename(let statement): rename(statement, at: offset)
    case .createIndex(let index): create(index, at: offset)
    case .createPolicy(let policy): create(policy, at: offset)
    case .alterPolicy(let change): alter(change, at: offset)
    case .createPublication(let scope): publish(scope, at: offset)
    case .alterPublication(let change, let tables): publish(change, tables)
    case .insert(let rows): insert(rows)
    case .createFunction(let function): create(function, at: offset)
    case .createTrigger(let trigger): create(trigger, at: offset)
    case .comment(let comment): add(comment, at: offset)
    case .createSequence(let name, let ifNotExists): createSequence(name, ifNotExists: ifNotExists)
    case .attempt(let block): attempt(block, at: offset)
    case .rewrite(let statement): rewrite(statement, at: offset)
    case .grant(let grant): apply(grant)
    case .defaultPrivileges(let grant): defaultPrivileges.append(grant)
    case .drop(let drop): self.drop(drop, at: offset)
    }
  }

  /// Does each statement that can be done.
  private mutating func attempt(_ block: AttemptedStatements, at offset: SourceOffset) {
    for statement in block.statements {
      let before = self
      apply(statement, at: offset)
      guard isRefused, let problem = found.last?.message else { continue }
      let isExpected = problem.contains("already exists") || problem.contains("does not exist")
      let (kept, reported) = (isExpected ? [] : found.dropFirst(before.found.count), before)
      self = reported
      found += kept
    }
    isRefused = false
  }

  /// A change of rows. There are some only if the schema inserts them.
  private mutating func rewrite(_ statement: RewriteStatement, at offset: SourceOffset) {
    guard let table = table(statement.table) else { return }
    guard !catalogue.seeds.contains(where: { $0.table == table.name }) else {
      return refuse("rows that a schema inserts cannot be changed: insert them as they are to be", at: offset)
    }
    catalogue.rewrites.append(RewriteStatement(of: table.name.sql, sql: statement.sql))
  }

  private mutating func createSequence(_ name: SQLName, ifNotExists: Bool) {
    let full = Catalogue.full(name)
    guard !relationNames.contains(full), sequences.insert(full).inserted else {
      if !ifNotExists { refuse("relation \"\(name.plain)\" already exists", at: name.offset) }
      return
    }
  }

  /// Whether a default takes the numbers of a sequence; a problem if there is no such sequence.
  mutating func isNumber(of value: SQLExpression) -> Bool {
    guard case .call(let function, let values) = value.kind, function.name == "nextval", values.count == 1,
      case .constant(.text(let text)) = values[0].kind
    else { return false }
    let parts = text.split(separator: ".").map { $0.trimmingQuotes }
    let name = parts.count > 1 ? ObjectName(parts[0], parts[1]) : ObjectName(ObjectName.usualSchema, parts.first ?? "")
    if !sequences.contains(name) { refuse("relation \"\(text)\" does not exist", at: value.offset) }
    return true
  }

  // MARK: Objects

  /// The table of that name; a problem and nil if there is none.
  mutating func table(_ name: SQLName) -> CatalogueTable? {
    if let table = catalogue.table(name) { return table }
    if refusedTables.contains(Catalogue.full(name)) {
      // That the table is missing is no problem of its own.
      isRefused = true
      return nil
    }
    refuse("relation \"\(name.plain)\" does not exist", at: name.offset)
    return nil
  }

  /// The table of that name if the schema may change it; a problem and nil otherwise.
  mutating func ownTable(_ name: SQLName) -> CatalogueTable? {
    guard let table = table(name) else { return nil }
    guard BuiltInTables.all[table.name] == nil else {
      refuse("\(table.name) is a table of the server: a schema may refer to it, and cannot change it", at: name.offset)
      return nil
    }
    guard table.view == nil else {
      refuse("\"\(table.name.name)\" is a view: only a table can have or do this", at: name.offset)
      return nil
    }
    return table
  }

  /// Keeps a table as it is now, unless the statement has a problem.
  mutating func keep(_ table: CatalogueTable) {
    guard isAccepted else { return }
    catalogue.tables[table.name] = table
    relationNames.formUnion(newIndexNames)
    for key in table.foreignKeys { referrers[key.target, default: []].insert(table.name) }
  }

  private mutating func createSchema(_ name: String, at offset: SourceOffset) {
    let known = ["public", "auth", "storage", "extensions", "realtime", "graphql", "graphql_public", "vault"]
    guard !known.contains(name) else { return }
    refuse("the schema \(name) is not supported: tables are in the schema public", at: offset)
  }

  /// The type of a column or a cast; a problem and nil if there is no such type.
  mutating func type(_ type: SQLType) -> DatumType? {
    var resolved: DatumType?
    let names = catalogue.names
    check { () throws(ExpressionProblem) in resolved = try DatumType(resolving: type, names) }
    return resolved
  }
}

extension Substring {
  /// The name without the quotes around it.
  fileprivate var trimmingQuotes: String {
    count > 1 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : String(self)
  }
}
