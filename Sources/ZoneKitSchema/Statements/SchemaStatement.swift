/// A statement of a schema. What is not here is refused by name.
package enum SchemaStatement: Equatable, Sendable {
  /// The beginning or the end of a transaction.
  case transaction(TransactionStep)
  /// A setting of the session, which has no effect here.
  case setting(SettingStatement)
  /// A schema, which is there already.
  case createSchema(name: String, ifNotExists: Bool)
  /// An extension whose functions are known.
  case createExtension(CreateExtension)
  /// A type with the values that it has.
  case createEnum(CreateEnum)
  /// Another value of such a type.
  case addEnumValue(AddEnumValue)
  /// A table.
  case createTable(CreateTable)
  /// A view.
  case createView(CreateView)
  /// Changes of a table.
  case alterTable(AlterTable)
  /// Another name for an object.
  case rename(RenameStatement)
  /// An index.
  case createIndex(CreateIndex)
  /// A policy for the rows of a table.
  case createPolicy(CreatePolicy)
  /// Other roles or conditions of a policy.
  case alterPolicy(AlterPolicy)
  /// The publication whose tables send changes.
  case createPublication(PublicationScope)
  /// Other tables of the publication.
  case alterPublication(PublicationChange, [SQLName])
  /// Rows that the table has at first.
  case insert(InsertRows)
  /// A function.
  case createFunction(CreateFunction)
  /// A trigger that calls a function for each row that is written.
  case createTrigger(CreateTrigger)
  /// A text about an object.
  case comment(CommentStatement)
  /// Privileges that are given or taken.
  case grant(GrantStatement)
  /// Privileges that tables have when they are made.
  case defaultPrivileges(GrantStatement)
  /// A sequence, whose numbers are those of the columns that take them.
  case createSequence(SQLName, ifNotExists: Bool)
  /// Statements each of which is done if it can be done.
  case attempt(AttemptedStatements)
  /// A change of the rows that are there.
  case rewrite(RewriteStatement)
  /// A statement that changes nothing that a client can see.
  case withoutEffect(EffectlessStatement)
  /// Objects that go.
  case drop(DropStatement)
}

/// The beginning or the end of a transaction. The raw value is how it is written.
package enum TransactionStep: String, Equatable, Sendable, CaseIterable {
  case begin = "BEGIN"
  case commit = "COMMIT"
}

/// A statement of a schema and where it begins.
package struct LocatedStatement: Equatable, Sendable {
  /// The statement.
  package var statement: SchemaStatement
  /// Where its first word is.
  package var offset: SourceOffset

  /// A statement at that place.
  package init(_ statement: SchemaStatement, at offset: SourceOffset = SourceOffset(0)) {
    self.statement = statement
    self.offset = offset
  }
}
