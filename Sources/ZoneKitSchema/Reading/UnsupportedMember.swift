/// Parts of supported statements that are not supported themselves.
enum UnsupportedMember {
  /// What is wrong with a member of a node of that kind, and what would be right.
  static func reason(for member: String, of kind: String) -> String {
    if let reason = reasons["\(kind).\(member)"] { return reason }
    if let reason = general[member] { return reason }
    return "\(words(kind)) with “\(words(member))” is not supported: leave it out"
  }

  /// A name of the parser's tree as words in lower case.
  static func words(_ name: String) -> String {
    var words = ""
    for character in name {
      if character == "_" {
        words += " "
      } else if character.isUppercase {
        if let last = words.last, last != " " { words += " " }
        words += character.lowercased()
      } else {
        words.append(character)
      }
    }
    return words.hasSuffix(" stmt") ? String(words.dropLast(5)) : words
  }

  private static let general = [
    "catalogname": "a name with a database is not supported: write schema.name",
    "options": "options in brackets are not supported: leave them out",
    "tablespacename": "a tablespace is not supported: leave it out",
    "tableSpace": "a tablespace is not supported: leave it out",
    "indexspace": "a tablespace is not supported: leave it out",
    "collClause": "a collation is not supported: leave it out",
    "collation": "a collation is not supported: leave it out",
    "withClause": "WITH is not supported: write the query where it is used",
    "grantor": "GRANTED BY is not supported: leave it out",
    "deferrable": "a constraint that can be deferred is supported only for references: leave out DEFERRABLE",
    "initdeferred": "INITIALLY DEFERRED is not supported: each statement is checked at its end; leave it out",
  ]

  private static let reasons = [
    "CreateStmt.inhRelations": "INHERITS is not supported: repeat the columns",
    "CreateStmt.partspec": "a partitioned table is not supported: leave out PARTITION BY",
    "CreateStmt.partbound": "a partition is not supported: put its rows into one table",
    "CreateStmt.ofTypename": "a table of a type is not supported: write its columns",
    "CreateStmt.accessMethod": "an access method is not supported: leave out USING",
    "CreateSchemaStmt.schemaElts": "statements inside of CREATE SCHEMA are not supported: write them behind it",
    "CreateSchemaStmt.authrole": "the owner of a schema is not supported: leave out AUTHORIZATION",
    "ColumnDef.compression": "the compression of a column is not supported: leave it out",
    "ColumnDef.fdwoptions": "options of a column are not supported: leave them out",
    "Constraint.is_no_inherit": "NO INHERIT is not supported: no table inherits; leave it out",
    "Constraint.including": "INCLUDE is not supported: leave it out",
    "Constraint.fk_del_set_cols": "columns behind SET NULL are not supported: leave them out",
    "IndexStmt.nulls_not_distinct": "NULLS NOT DISTINCT is supported only for constraints: write UNIQUE in the table",
    "PublicationTable.whereClause": "a condition for a table of a publication is not supported: leave out WHERE",
    "PublicationTable.columns": "columns of a table of a publication are not supported: leave them out",
    "InsertStmt.returningList": "RETURNING is not supported: nobody reads it; leave it out",
    "InferClause.whereClause": "a condition behind ON CONFLICT is not supported: leave it out",
    "InferClause.conname": "ON CONSTRAINT is not supported: name the columns",
    "FuncCall.agg_star": "a function of all rows, such as count(*), is not supported",
    "FuncCall.agg_within_group": "WITHIN GROUP is not supported: leave it out",
    "FuncCall.func_variadic": "VARIADIC is not supported: write the values one by one",
    "FuncCall.over": "a window function is not supported",
    "TypeName.setof": "SETOF is not supported: leave it out",
    "TypeName.pct_type": "%TYPE is not supported: write the type itself",
    "SelectStmt.windowClause": "WINDOW in a query is not supported: leave it out",
    "SelectStmt.intoClause": "SELECT INTO is not supported: write CREATE TABLE",
    "JoinExpr.isNatural": "NATURAL is not supported: write ON with the two columns",
    "CreateTrigStmt.transitionRels": "REFERENCING is not supported: leave it out",
    "CreateTrigStmt.isconstraint": "a constraint trigger is not supported: write a trigger BEFORE or AFTER",
    "TransactionStmt.options": "the mode of a transaction is not supported: leave it out",
    "TransactionStmt.chain": "AND CHAIN is not supported: leave it out",
    "VariableSetStmt.is_local": "SET LOCAL is not supported: leave it out",
  ]
}
