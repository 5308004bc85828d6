import Testing
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `unsupported indexes, policies, rows and functions` {
  @Test(
    arguments: [
      (
        "create index on t using gist (a)",
        [
          "17: an index of the kind gist is not supported: use btree, gin or hash"
        ]
      ),
      (
        "create index concurrently i on t (a)",
        [
          "1: CONCURRENTLY is not supported: no rows are there yet; leave it out"
        ]
      ),
      ("create index i on t (a text_pattern_ops)", ["19: an operator class is not supported: leave it out"]),
      ("create index i on t (a) include (b)", ["1: INCLUDE is not supported: leave it out"]),
      (#"create index i on t (a collate "C")"#, ["19: a collation is not supported: leave it out"]),
      (
        "create publication other",
        [
          "1: the publication other is not supported: the one that is served is supabase_realtime"
        ]
      ),
      (
        "create publication supabase_realtime for table t where (a > 1)",
        [
          "48: a condition for a table of a publication is not supported: leave out WHERE"
        ]
      ),
      (
        "create publication supabase_realtime for tables in schema public",
        [
          "59: all tables of a schema are not supported in a publication: name the tables"
        ]
      ),
      (
        "create publication supabase_realtime for table t (a)",
        [
          "48: columns of a table of a publication are not supported: leave them out"
        ]
      ),
      (
        "create publication supabase_realtime with (publish = 'insert')",
        [
          "1: options in brackets are not supported: leave them out"
        ]
      ),
      (
        "drop publication other",
        [
          "1: the publication other is not supported: the one that is served is supabase_realtime"
        ]
      ),
      ("insert into t (a) select 1", ["13: only rows of VALUES are inserted: write INSERT INTO … VALUES (…)"]),
      ("insert into t (a) values (b)", ["27: a value of a row names a column or a query: write a constant"]),
      ("insert into t (a) values ((select 1))", ["27: a value of a row names a column or a query: write a constant"]),
      ("insert into t (a, b) values (1)", ["30: the columns are 2, the values 1: write one for each"]),
      (
        "insert into t (a) values (1) on conflict (a) do update set a = 2",
        [
          "30: ON CONFLICT DO UPDATE is not supported: write DO NOTHING"
        ]
      ),
      (
        "insert into t (a) values (1) on conflict on constraint c do nothing",
        [
          "42: ON CONSTRAINT is not supported: name the columns"
        ]
      ),
      ("insert into t (a) values (1) returning a", ["1: RETURNING is not supported: nobody reads it; leave it out"]),
      ("insert into t default values", ["13: only rows of VALUES are inserted: write INSERT INTO … VALUES (…)"]),
      (
        "create function f() returns int language sql as $$ select 1 $$",
        [
          "1: the function f is not supported: a function is one for triggers, in plpgsql: begin "
            + "new.updated_at = now(); return new; end"
        ]
      ),
      (
        "create function f() returns trigger language plpgsql as $$ begin new.a = 1; return new; end $$",
        [
          "1: the body of the trigger function f is not supported: a function is one for triggers, in "
            + "plpgsql: begin new.updated_at = now(); return new; end"
        ]
      ),
      (
        "create function f() returns trigger language plpgsql as $$ begin new.a = now(); new.b = now(); return new; end $$",
        [
          "1: the body of the trigger function f is not supported: a function is one for triggers, in "
            + "plpgsql: begin new.updated_at = now(); return new; end"
        ]
      ),
      (
        "create function f(a int) returns trigger language plpgsql as $$ begin new.a = now(); return new; end $$",
        [
          "1: the function f is not supported: a function is one for triggers, in plpgsql: begin "
            + "new.updated_at = now(); return new; end"
        ]
      ),
      (
        "create procedure f() language sql as $$ select 1 $$",
        [
          "1: the function f is not supported: a function is one for triggers, in plpgsql: begin "
            + "new.updated_at = now(); return new; end"
        ]
      ),
      (
        "create trigger g after insert on t for each row execute function f()",
        [
          "34: only triggers BEFORE UPDATE are supported: the tables decide about anything else themselves"
        ]
      ),
      (
        "create trigger g before insert or update on t for each row execute function f()",
        [
          "45: only triggers BEFORE UPDATE are supported: the tables decide about anything else themselves"
        ]
      ),
      (
        "create trigger g before update on t for each statement execute function f()",
        [
          "35: a trigger for statements is not supported: write FOR EACH ROW"
        ]
      ),
      (
        "create trigger g before update of a on t for each row execute function f()",
        [
          "1: OF with columns is not supported: leave it out"
        ]
      ),
      (
        "create trigger g before update on t for each row when (old.a is distinct from new.a) execute function f()",
        [
          "1: WHEN of a trigger is not supported: leave it out"
        ]
      ),
      ("comment on function f() is 'a'", ["1: a comment on a function is not supported: leave it out"]),
      ("grant a to b", ["1: grant of a role is not supported: the roles are anon, authenticated and service_role"]),
      ("grant usage on type x to y", ["1: privileges for a type are not supported: leave them out"]),
      ("grant select on t to a with grant option", ["1: WITH GRANT OPTION is not supported: leave it out"]),
      (
        "grant execute on function f(int) to a",
        [
          "1: a function with arguments is not supported: only trigger functions are, which have none"
        ]
      ),
      ("drop view if exists v", ["1: drop view is not supported: leave it out"]),
      (
        "drop function f(int)",
        [
          "1: a function with arguments is not supported: only trigger functions are, which have none"
        ]
      ),
      (
        "alter default privileges grant all on tables to a",
        [
          "1: alter default privileges is not supported: grant at each table"
        ]
      ),
    ] as [(String, [String])])
  func `have problems that say where, what and what would be right`(text: String, problems: [String]) throws {
    let reading = try Samples.reading("begin;\n" + text)
    #expect(reading.problems.map(\.description) == problems.map { "schema.sql:2:\($0)" })
    #expect(reading.statements.map(\.statement) == [.transaction(.begin)])
  }
}
