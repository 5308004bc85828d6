import Testing
import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `a changed schema` {
  private static let tables = """
    create type mood as enum ('glad', 'sad');
    create table spare (id int primary key);
    create table team (id int primary key, name varchar(9), mood mood default 'sad');

    """
  private static let old = tables + "insert into team (id, name) values (1, 'red'), (2, 'blue');\n"

  private static var context: EvaluationContext {
    EvaluationContext(now: 1_700_000_000_000_000, role: "service_role", randomUUID: { UUID(high: 0, low: 1) })
  }

  /// The rows of the team's table under another schema, a line each, or why it is not taken over.
  private func adopted(_ text: String) throws -> String {
    let (old, new) = (try Catalogue(text: Self.old), try Catalogue(text: text))
    var store = MemoryRelationStore()
    try SchemaAdoption(PreparedSchema(old), from: nil, Self.context).carryOut(on: &store)
    let problems = try SchemaAdoption.problems(from: old, to: new) { (table) throws(StoreError) in
      table.name == "team"
    }
    guard problems.isEmpty else { return problems.joined(separator: "\n") }
    do {
      try SchemaAdoption(PreparedSchema(new), from: old, Self.context).carryOut(on: &store)
    } catch {
      return "\(error)"
    }
    guard let table = try PreparedSchema(new).tables[ObjectName("public", "team")] else { return "no table" }
    return try store.rows(RowSearch(table.name, Self.context)).map { row in
      zip(table.columns, row.values).map { $1 == .null ? "null" : $0.type.text(of: $1) }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  @Test func `gives rows the defaults of new columns, wherever those stand`() throws {
    let changed = Self.old.replacing(
      "name varchar(9),", with: "since date default '2026-01-02', name varchar(9), size int, ")
    #expect(try adopted(changed) == "1 2026-01-02 red null sad\n2 2026-01-02 blue null sad")
    let migration = "alter table team add column key uuid not null default gen_random_uuid();"
    #expect(
      try adopted(Self.old + migration)
        == "1 red sad 00000000-0000-0000-0000-000000000001\n2 blue sad 00000000-0000-0000-0000-000000000001")
  }

  @Test func `adds its new rows once, and gets more values, longer texts and other tables`() throws {
    #expect(try adopted(Self.old) == "1 red sad\n2 blue sad")
    let more =
      "alter type mood add value 'wild'; insert into team values (3, 'green', 'glad'); create table a (b text);"
    #expect(try adopted(Self.old + more) == "1 red sad\n2 blue sad\n3 green glad")
    #expect(try adopted(Self.old.replacing("varchar(9)", with: "text")) == "1 red sad\n2 blue sad")
    #expect(try adopted(Self.old + "alter table spare add column x int; drop table spare;") == "1 red sad\n2 blue sad")
  }

  @Test(
    arguments: [
      (
        "varchar(9)", "varchar(8)",
        "table team: the column name was character varying(9) and is character varying(8), and it has rows"
      ),
      ("name varchar(9), ", "", "table team: the column name is gone, and it has rows"),
      ("'glad', 'sad'", "'sad', 'glad'", "table team: the column mood was mood and is mood, and it has rows"),
      (
        "varchar(9)", "varchar(9) check (name <> 'red')",
        "the rows of team do not fit the schema: new row for relation \"team\" violates check constraint "
          + "\"team_name_check\": Failing row contains (1, red, sad)."
      ),
      (
        "mood mood default 'sad'", "mood mood default 'sad' unique",
        "the rows of team do not fit the schema: duplicate key value violates unique constraint \"team_mood_key\": "
          + "Key (mood)=(sad) already exists."
      ),
      (
        "varchar(9),", "varchar(9), size int not null,",
        "the rows of team do not fit the schema: null value in column \"size\" of relation \"team\" violates not-null "
          + "constraint: Failing row contains (1, red, null, sad)."
      ),
      (
        "varchar(9),", "varchar(9), size int references spare default 7,",
        "the rows of team do not fit the schema: insert or update on table \"team\" violates foreign key constraint "
          + "\"team_size_fkey\": Key (size)=(7) is not present in table \"spare\"."
      ),
    ])
  func `is refused where rows do not fit it`(old: String, new: String, refusal: String) throws {
    #expect(try adopted(Self.tables.replacing(old, with: new)) == refusal)
  }
}
