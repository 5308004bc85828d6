import ZoneKitRecords
import ZoneKitSchema

extension SchemaGenerator {
  /// A statement of any kind.
  mutating func statement() -> SchemaStatement {
    switch number(0...19) {
    case 0: return .transaction(one(of: TransactionStep.allCases))
    case 1: return .setting(setting())
    case 2: return .createSchema(name: one(of: ["public", "extensions"]), ifNotExists: chance())
    case 3:
      return .createExtension(
        CreateExtension(
          one(of: CreateExtension.known), schema: maybe { $0.identifier() }, ifNotExists: chance()))
    case 4: return .createEnum(CreateEnum(name(), some(1...3) { $0.text() }))
    case 5:
      let position = one(of: [AddEnumValue.Position.last, .before(text()), .after(text())])
      return .addEnumValue(AddEnumValue(name(), text(), position, ifNotExists: chance()))
    case 6, 7: return .createTable(table())
    case 8, 9: return .alterTable(alteration())
    case 10:
      if chance(3) { return .createView(view()) }
      return .createIndex(index())
    case 11: return .createPolicy(policy())
    case 12: return chance() ? .rename(rename()) : .createPolicy(policy())
    case 13: return .createPublication(chance() ? .allTables : .tables(some(0...3) { $0.name() }))
    case 14: return .alterPublication(one(of: PublicationChange.allCases), some(1...3) { $0.name() })
    case 15: return .insert(rows())
    case 16: return .createFunction(function())
    case 17: return .createTrigger(trigger())
    case 18: return chance() ? .comment(comment()) : other()
    default: return chance() ? .grant(grant()) : .drop(drop())
    }
  }

  private mutating func setting() -> SettingStatement {
    if chance(3) { return SettingStatement("search_path", [""], isCall: true) }
    if chance(3) { return SettingStatement("client_encoding", ["UTF8"]) }
    return SettingStatement(one(of: ["statement_timeout", "row_security"]), some(0...1) { $0.text() })
  }

  private mutating func function() -> CreateFunction {
    let (name, column, replaces) = (self.name(), SQLColumn(table: "new", identifier()), chance())
    let value = expression(2)
    let body = "BEGIN new.\(column.name.alwaysQuoted) := \(value.sql); RETURN new; END"
    return CreateFunction(
      name, returns: .trigger,
      .steps(RoutineBody([.assign(column, value), .returns(SQLExpression(.column(SQLColumn("new"))))], isLate: true)),
      replaces: replaces,
      sql: "CREATE \(replaces ? "OR REPLACE " : "")FUNCTION \(name.sql)() RETURNS trigger LANGUAGE plpgsql AS "
        + body.quotedAsText)
  }

  private mutating func rename() -> RenameStatement {
    let subjects: [RenameStatement.Subject] = [
      .table(name()), .column(identifier(), of: name()), .constraint(identifier(), of: name()), .index(name()),
      .type(name()), .enumValue(text(), of: name()), .policy(identifier(), of: name()),
      .trigger(identifier(), of: name()), .function(name()),
    ]
    let subject = one(of: subjects)
    var ifExists = false
    switch subject {
    case .table, .column, .constraint, .index: ifExists = chance()
    default: break
    }
    return RenameStatement(subject, to: identifier(), ifExists: ifExists)
  }

  private mutating func view() -> CreateView {
    CreateView(
      name(), columns: some(0...2) { $0.identifier() }, query(2, columns: number(1...2)), isInvoker: chance(),
      replaces: chance())
  }

  private mutating func trigger() -> CreateTrigger {
    var events = CreateTrigger.Event.allCases.filter { _ in chance() }
    if events.isEmpty { events = [.update] }
    return CreateTrigger(
      identifier(), on: name(), isBefore: chance(), events,
      of: events.contains(.update) ? some(0...2) { $0.identifier() } : [], when: maybe { $0.expression(2) },
      calls: name(), some(0...2) { $0.text() }, replaces: chance())
  }

  /// A statement that only PostgreSQL's own tools write.
  private mutating func other() -> SchemaStatement {
    switch number(0...4) {
    case 4:
      .alterPolicy(
        AlterPolicy(
          name: identifier(), table: name(), roles: maybe { $0.some(1...2) { $0.role(mayBeEveryone: true) } },
          using: maybe { $0.expression(3) }, withCheck: maybe { $0.expression(3) }))
    case 0: .withoutEffect(EffectlessStatement("ALTER TYPE \(name().sql) OWNER TO postgres"))
    case 1: .rewrite(RewriteStatement(of: SQLName("t"), sql: "DELETE FROM t"))
    case 2: .createSequence(name(), ifNotExists: chance())
    default:
      .defaultPrivileges(
        GrantStatement(
          isGrant: chance(), [], on: .allTables(schemas: some(0...2) { $0.identifier() }),
          roles: some(1...2) { $0.role(mayBeEveryone: true) }))
    }
  }

  private mutating func table() -> CreateTable {
    CreateTable(
      name(), some(1...4) { $0.definition() }, some(0...2) { $0.tableConstraint() }, ifNotExists: chance())
  }

  private mutating func definition() -> ColumnDefinition {
    ColumnDefinition(identifier(), type(), some(0...3) { $0.columnConstraint() })
  }

  private mutating func columnConstraint() -> ColumnConstraint {
    let kind: ColumnConstraint.Kind
    switch number(0...8) {
    case 8: kind = .generated(expression(2))
    case 0: kind = .null
    case 1: kind = .notNull
    case 2: kind = .defaultValue(expression(2))
    case 3: kind = .primaryKey
    case 4: kind = .unique(nullsNotDistinct: chance())
    case 5: kind = .check(expression())
    case 6: kind = .references(reference())
    default: kind = .identity(isAlways: chance())
    }
    return ColumnConstraint(name: maybe { $0.identifier() }, kind)
  }

  private mutating func tableConstraint() -> TableConstraint {
    let columns = some(1...3) { $0.identifier() }
    let kind: TableConstraint.Kind
    switch number(0...4) {
    case 0: kind = .primaryKey(columns)
    case 4: kind = .index(identifier(), isPrimaryKey: chance())
    case 1: kind = .unique(columns, nullsNotDistinct: chance())
    case 2: kind = .check(expression())
    default: kind = .foreignKey(columns, reference())
    }
    return TableConstraint(name: maybe { $0.identifier() }, kind)
  }

  private mutating func reference() -> TableReference {
    TableReference(
      name(), some(0...2) { $0.identifier() }, onDelete: one(of: TableReference.Action.allCases),
      onUpdate: one(of: TableReference.Action.allCases), isDeferrable: chance())
  }

  private mutating func alteration() -> AlterTable {
    AlterTable(name(), some(1...3) { $0.action() }, ifExists: chance(), isOnly: chance())
  }

  private mutating func action() -> AlterTable.Action {
    switch number(0...11) {
    case 11: .setType(column: identifier(), type())
    case 0: .addColumn(definition(), ifNotExists: chance())
    case 1: .dropColumn(identifier(), ifExists: chance(), isCascading: chance())
    case 2: .addConstraint(tableConstraint())
    case 3: .dropConstraint(identifier(), ifExists: chance(), isCascading: chance())
    case 4: .setDefault(column: identifier(), expression())
    case 5: .dropDefault(column: identifier())
    case 6: .setNotNull(column: identifier())
    case 7: .dropNotNull(column: identifier())
    case 8: .rowSecurity(one(of: AlterTable.RowSecurity.allCases))
    case 9: .replicaIdentity(isFull: chance())
    default: .changeOwner(role(mayBeEveryone: false))
    }
  }

  private mutating func index() -> CreateIndex {
    let parts = some(1...3) { generator in
      let isColumn = generator.chance()
      let value = isColumn ? SQLExpression(.column(SQLColumn(generator.identifier()))) : generator.expression(2)
      return CreateIndex.Part(
        value, isDescending: generator.maybe { $0.chance() }, nullsFirst: generator.maybe { $0.chance() })
    }
    let name = maybe { $0.identifier() }
    return CreateIndex(
      name, on: self.name(), one(of: CreateIndex.Method.allCases), parts, where: maybe { $0.expression(2) },
      isUnique: chance(), ifNotExists: name != nil && chance())
  }

  private mutating func policy() -> CreatePolicy {
    CreatePolicy(
      identifier(), on: name(), isPermissive: chance(), for: one(of: CreatePolicy.Command.allCases),
      to: some(1...3) { $0.role(mayBeEveryone: true) }, using: maybe { $0.expression(5) },
      withCheck: maybe { $0.expression(5) })
  }

  private mutating func role(mayBeEveryone: Bool) -> SQLRole {
    let names = ["anon", "authenticated", "service_role", "Some One", "user", "order"]
    if chance() { return .named(one(of: names)) }
    return one(of: [.currentRole, .currentUser, .sessionUser] + (mayBeEveryone ? [.everyone] : []))
  }

  private mutating func rows() -> InsertRows {
    let columns = some(1...3) { $0.identifier() }
    let rows = some(1...3) { generator in
      columns.map { _ in
        if generator.chance(5) { return InsertRows.Value.defaultValue }
        let value = generator.expression(2)
        return .expression(value)
      }
    }
    let assignments = columns.map { RowWrite.Assignment($0, maybe { $0.expression(1) }) }
    let conflict = one(of: [
      InsertRows.Conflict.fails, .doesNothing(some(0...2) { $0.identifier() }),
      .updates(assignments, key: columns, where: maybe { $0.expression(1) }),
    ])
    return InsertRows(name(), chance(4) ? [] : columns, rows, conflict)
  }

  private mutating func comment() -> CommentStatement {
    let subject: CommentStatement.Subject
    switch number(0...1) {
    case 0: subject = .table(name())
    default: subject = .column(name(), identifier())
    }
    return CommentStatement(subject, maybe { $0.text() })
  }

  private mutating func grant() -> GrantStatement {
    let columns = some(1...2) { $0.identifier() }
    let several = some(0...2) { generator in
      let names = ["select", "insert", "update", "delete", "usage", "execute"]
      return GrantStatement.Privilege(generator.one(of: names), columns: generator.chance() ? columns : [])
    }
    let privileges = chance(4) ? [GrantStatement.Privilege(nil, columns: columns)] : several
    let names = some(1...2) { $0.name() }
    let schemas = some(1...2) { $0.identifier() }
    let subject = one(of: [
      GrantStatement.Subject.tables(names), .allTables(schemas: schemas),
    ])
    return GrantStatement(
      isGrant: chance(), privileges, on: subject, roles: some(1...2) { $0.role(mayBeEveryone: true) })
  }

  private mutating func drop() -> DropStatement {
    let names = some(1...2) { $0.name() }
    let plain = some(1...2) { $0.identifier() }
    let types = [SQLName("mood"), SQLName(schema: "public", "Size")]
    let subject = one(of: [
      DropStatement.Subject.tables(names), .types(types), .functions(names), .indexes(names), .schemas(plain),
      .extensions(plain), .publication, .trigger(identifier(), on: name()), .policy(identifier(), on: name()),
    ])
    return DropStatement(subject, ifExists: chance(), isCascading: chance())
  }
}
