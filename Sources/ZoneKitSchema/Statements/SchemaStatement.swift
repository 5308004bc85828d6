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
  /// Changes of a table.
  case alterTable(AlterTable)
  /// An index.
  case createIndex(CreateIndex)
  /// A policy for the rows of a table.
  case createPolicy(CreatePolicy)
  /// The publication whose tables send changes.
  case createPublication(PublicationScope)
  /// Other tables of the publication.
  case alterPublication(PublicationChange, [SQLName])
  /// Rows that the table has at first.
  case insert(InsertRows)
  /// A function for triggers that sets a column to the time of the transaction.
  case createFunction(StampFunction)
  /// A trigger that calls a function before a row is changed.
  case createTrigger(CreateTrigger)
  /// A text about an object.
  case comment(CommentStatement)
  /// Privileges that are given or taken.
  case grant(GrantStatement)
  /// The owner of an object that is no table, which has no effect here.
  case changeOwner(OwnerStatement)
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
