import ZoneKitRecords

/// Reads the tree of a file's statements, as the driver of PostgreSQL's parser returns it, into statements of a schema.
///
/// It is total: each statement of any tree becomes one of the schema or at least one problem. A part that
/// cannot be served is noted and replaced by something harmless, so that the problems behind it are found as well.
package struct SchemaReader {
  /// The deepest nesting of expressions.
  package static let depthLimit = 64

  let text: SchemaText
  /// The text whose places the tree has: the file's, or the statements of a function's body.
  var source: String
  /// PostgreSQL's grammar, for the bodies of functions.
  let grammar: SQLGrammar
  /// The place of all problems while a body is read, whose own places are not those of the text; nil otherwise.
  private var pin: Int?
  /// The place of the part that was read last and has one.
  var here = 0
  /// How deep the expression is nested that is being read.
  var depth = 0
  /// The names of what the function is given whose body is being read.
  var parameterNames: [String] = []
  private(set) var found: [(offset: Int, message: String)] = []

  private init(_ text: SchemaText, _ grammar: @escaping SQLGrammar) {
    (self.text, self.grammar) = (text, grammar)
    source = text.text
  }

  /// The statements and problems of that text. `grammar` is that of PostgreSQL.
  package static func read(_ text: SchemaText, _ grammar: @escaping SQLGrammar) -> SchemaReading {
    do throws(SQLError) {
      return read(try grammar(text.text), of: text, grammar)
    } catch {
      return SchemaReading(
        statements: [], problems: [SchemaProblem(file: text.name, at: error.place, error.message)])
    }
  }

  /// The statements and problems of that tree, which is the one of that text.
  package static func read(_ tree: JSON, of text: SchemaText, _ grammar: @escaping SQLGrammar) -> SchemaReading {
    var reader = SchemaReader(text, grammar)
    var statements: [LocatedStatement] = []
    var refused: [SQLName] = []
    if tree["stmts"]?.array == nil { reader.refuse("the parser's tree has no statements", at: 0) }
    for entry in tree["stmts"]?.array ?? [] {
      let start = text.text.utf8.span.firstWord(from: Int(entry["stmt_location"]?.integer ?? 0))
      let problems = reader.found.count
      reader.here = start
      reader.depth = 0
      let end = entry["stmt_len"]?.integer.map { Int(entry["stmt_location"]?.integer ?? 0) + Int($0) }
      let sql = text.part(from: start, to: end)
      let statement = reader.statement(TreeNode(entry["stmt"] ?? .null), at: start, sql: sql)
      guard reader.found.count == problems else {
        if case .createTable(let table)? = statement { refused.append(table.name) }
        continue
      }
      let read = statement ?? .withoutEffect(EffectlessStatement(sql))
      statements.append(LocatedStatement(read, at: SourceOffset(start)))
    }
    return SchemaReading(
      statements: statements, problems: text.problems(reader.found), refusedTables: refused)
  }

  /// Notes a problem there, or at the place that was read last.
  mutating func refuse(_ message: String, at offset: Int? = nil) {
    let offset = pin ?? offset ?? here
    // One part of a text may be several nodes, each of which is refused for the same reason.
    if let last = found.last, last.offset == offset, last.message == message { return }
    found.append((offset, message))
  }

  /// Notes a problem for each member of a node that is not among those, as it would be left out otherwise.
  mutating func allow(_ members: [String], in node: TreeNode) {
    move(to: node)
    for member in node.members where member != "location" && !members.contains(member) {
      refuse(UnsupportedMember.reason(for: member, of: node.kind))
    }
  }

  /// Makes a node's place the one that was read last.
  mutating func move(to node: TreeNode) {
    if pin == nil, let location = node.location { here = location }
  }

  /// A node's place, or the one that was read last.
  func offset(_ node: TreeNode) -> SourceOffset { SourceOffset(pin ?? node.location ?? here) }

  /// Reads something of which all problems are at one place. Returns what they say, without noting them.
  mutating func collecting(at place: Int, _ body: (inout SchemaReader) -> Void) -> [String] {
    var reader = self
    (reader.found, reader.pin, reader.here, reader.depth) = ([], place, place, 0)
    body(&reader)
    return reader.found.map(\.message)
  }

  /// The statement; nil if it has a problem or no effect.
  mutating func statement(_ node: TreeNode, at start: Int, sql: String) -> SchemaStatement? {
    switch node.kind {
    case "TransactionStmt": return transaction(node)
    case "VariableSetStmt": return setting(node).map { .setting($0) }
    case "SelectStmt": return select(node).map { .setting($0) }
    case "CreateSchemaStmt": return createSchema(node)
    case "CreateExtensionStmt": return .createExtension(createExtension(node))
    case "CreateEnumStmt": return .createEnum(createEnum(node))
    case "AlterEnumStmt" where node.has("oldVal"): return .rename(renameValue(node))
    case "RenameStmt": return rename(node).map { .rename($0) }
    case "AlterEnumStmt": return .addEnumValue(addEnumValue(node))
    case "CreateStmt": return .createTable(createTable(node))
    case "ViewStmt": return .createView(createView(node))
    case "AlterTableStmt": return alterTable(node, at: start).map { .alterTable($0) }
    case "IndexStmt": return .createIndex(createIndex(node))
    case "CreatePolicyStmt": return .createPolicy(createPolicy(node))
    case "AlterPolicyStmt": return .alterPolicy(alterPolicy(node))
    case "CreatePublicationStmt": return .createPublication(createPublication(node))
    case "AlterPublicationStmt": return alterPublication(node)
    case "InsertStmt": return .insert(insertRows(node))
    case "CreateFunctionStmt": return .createFunction(createFunction(node, at: start, sql: sql))
    case "CreateTrigStmt": return .createTrigger(createTrigger(node))
    case "CommentStmt": return comment(node).map { .comment($0) }
    case "GrantStmt": return grant(node).map { .grant($0) }
    case "AlterDefaultPrivilegesStmt": return defaultPrivileges(node).map { .defaultPrivileges($0) }
    case "DropStmt": return drop(node).map { .drop($0) }
    case "DoStmt": return doBlock(node, at: start, sql: sql).map { .attempt($0) }
    case "CreateSeqStmt": return createSequence(node)
    case "UpdateStmt", "DeleteStmt": return .rewrite(RewriteStatement(of: rewritten(node), sql: sql))
    case "AlterSeqStmt" where node.nodes("options").allSatisfy { $0.text("defname") == "owned_by" }: return nil
    case "AlterOwnerStmt", "AlterRoleSetStmt", "AlterDatabaseSetStmt", "VacuumStmt": return nil
    default:
      refuse(UnsupportedStatement.reason(for: node), at: start)
      return nil
    }
  }
}
