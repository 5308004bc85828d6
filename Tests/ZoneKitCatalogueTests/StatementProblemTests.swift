import Testing

/// Each message is the one that PostgreSQL 15 gives, with what would be right where that says more.
@Suite struct `statements that contradict the schema` {
  private static let base = """
    create type mood as enum ('glad', 'sad');
    create table a (id uuid primary key, n int, m mood, j json, unique (n));
    create table b (id uuid primary key, a_id uuid references a, t text);
    create policy p on a using (true);
    create index a_m on a (m);
    create function f() returns trigger language plpgsql as 'begin new.t = now(); return new; end';
    create trigger g before update on b for each row execute function f();
    alter publication supabase_realtime add table b;

    """

  private static let cases: [(String, String)] = [
    ("create table a (id int)", #"relation "a" already exists"#),
    ("create table a_m (id int)", #"relation "a_m" already exists"#),
    ("create table c (id int, id text)", #"column "id" specified more than once"#),
    ("create table c (ctid int)", #"column name "ctid" conflicts with a system column name"#),
    ("create table c (id nothing)", #"type "nothing" does not exist"#),
    (
      "create table c (id int null not null)",
      #"conflicting NULL/NOT NULL declarations for column "id" of table "c""#
    ),
    (
      "create table c (id int default 1 default 2)",
      #"multiple default values specified for column "id" of table "c""#
    ),
    (
      "create table c (id int default 1 generated always as identity)",
      #"both default and identity specified for column "id" of table "c""#
    ),
    (
      "create table c (id text generated always as identity)",
      "identity column type must be smallint, integer, or bigint"
    ),
    ("create table c (id int primary key, primary key (id))", #"multiple primary keys for table "c" are not allowed"#),
    ("create table c (id int, primary key (x))", #"column "x" named in key does not exist"#),
    ("create table c (id int, primary key (id, id))", #"column "id" appears twice in primary key constraint"#),
    ("create table c (id int, unique (id, id))", #"column "id" appears twice in unique constraint"#),
    ("create table c (j json unique)", #"data type json has no default operator class for access method "btree""#),
    ("create table c (id int check (id in (select n from a)))", "cannot use subquery in check constraint"),
    ("create table c (id int default 'x')", #"invalid input syntax for type integer: "x""#),
    (
      "create table c (id uuid default now())",
      #"column "id" is of type uuid but default expression is of type timestamp with time zone; "#
        + "You will need to rewrite or cast the expression."
    ),
    ("create table c (a int, b int default a)", "cannot use column reference in DEFAULT expression"),
    ("create table c (id int default (select 1))", "cannot use subquery in DEFAULT expression"),
    ("create table c (id int default nothing())", "function nothing() does not exist"),
    ("create table c (id int check (x > 0))", #"column "x" does not exist"#),
    ("create table c (id int check (id))", "argument of CHECK must be type boolean, not type integer"),
    ("create table c (id int check (id = 'x'))", #"invalid input syntax for type integer: "x""#),
    ("create table c (id int check (id ~ 'x'))", "operator does not exist: integer ~ unknown"),
    ("alter table a alter column n set default 'x'", #"invalid input syntax for type integer: "x""#),
    ("create policy q on a using (x = 1)", #"column "x" does not exist"#),
    ("create policy q on a using (n)", "argument of POLICY must be type boolean, not type integer"),
    ("create policy q on a using (id = n)", "operator does not exist: uuid = integer"),
    ("create policy q on a using (exists (select 1 from nowhere))", #"relation "nowhere" does not exist"#),
    ("create policy q on a using (m = 'x')", #"invalid input value for enum mood: "x""#),
    ("create index on a (n) where n = 'x'", #"invalid input syntax for type integer: "x""#),
    ("insert into a (id, n) values ('x', 1)", #"invalid input syntax for type uuid: "x""#),
    (
      "insert into a (n) values (now())",
      #"column "n" is of type integer but expression is of type timestamp with time zone; "#
        + "You will need to rewrite or cast the expression."
    ),
    ("create table c (id int references nowhere)", #"relation "nowhere" does not exist"#),
    (
      "create table c (id int references a (m))",
      #"there is no unique constraint matching given keys for referenced table "a""#
    ),
    ("create table c (id int references a (x))", #"column "x" referenced in foreign key constraint does not exist"#),
    (
      "create table c (id int, foreign key (id, id) references a (id))",
      "number of referencing and referenced columns for foreign key disagree"
    ),
    (
      "create table c (id int, foreign key (x) references a)",
      #"column "x" referenced in foreign key constraint does not exist"#
    ),
    (
      "create table c (id int, constraint k check (id > 0), constraint k check (id > 1))",
      #"check constraint "k" already exists"#
    ),
    ("create table c (id int, constraint a_m unique (id))", #"relation "a_m" already exists"#),
    ("alter table nowhere add column x int", #"relation "nowhere" does not exist"#),
    ("alter table a add column n int", #"column "n" of relation "a" already exists"#),
    ("alter table a drop column x", #"column "x" of relation "a" does not exist"#),
    ("alter table a alter column x set not null", #"column "x" of relation "a" does not exist"#),
    ("alter table a alter column id drop not null", #"column "id" is in a primary key"#),
    ("alter table a drop constraint x", #"constraint "x" of relation "a" does not exist"#),
    ("alter table a add primary key (n)", #"multiple primary keys for table "a" are not allowed"#),
    ("create index a_m on a (n)", #"relation "a_m" already exists"#),
    ("create index on a (x)", #"column "x" does not exist"#),
    ("create index on a (j)", #"data type json has no default operator class for access method "btree""#),
    ("create index on nowhere (x)", #"relation "nowhere" does not exist"#),
    ("create policy p on a using (true)", #"policy "p" for table "a" already exists"#),
    ("create policy q on a for insert using (true)", "only WITH CHECK expression allowed for INSERT"),
    (
      "create policy q on a for select using (true) with check (true)",
      "WITH CHECK cannot be applied to SELECT or DELETE"
    ),
    ("create policy q on a to nobody using (true)", #"role "nobody" does not exist"#),
    ("create policy q on nowhere using (true)", #"relation "nowhere" does not exist"#),
    ("create type mood as enum ('x')", #"type "mood" already exists"#),
    ("alter type mood add value 'sad'", #"enum label "sad" already exists"#),
    ("alter type mood add value 'x' before 'y'", #""y" is not an existing enum label"#),
    ("alter type x add value 'y'", #"type "x" does not exist"#),
    (
      "create function f() returns trigger language plpgsql as 'begin new.t = now(); return new; end'",
      #"function "f" already exists with same argument types"#
    ),
    ("create trigger h before update on b for each row execute function x()", "function x() does not exist"),
    (
      "create trigger g before update on b for each row execute function f()",
      #"trigger "g" for relation "b" already exists"#
    ),
    ("alter publication supabase_realtime add table nowhere", #"relation "nowhere" does not exist"#),
    (
      "alter publication supabase_realtime add table b",
      #"relation "b" is already member of publication "supabase_realtime""#
    ),
    ("comment on table nowhere is 'x'", #"relation "nowhere" does not exist"#),
    ("comment on column a.x is 'x'", #"column "x" of relation "a" does not exist"#),
    ("insert into nowhere values (1)", #"relation "nowhere" does not exist"#),
    ("insert into a (x) values (1)", #"column "x" of relation "a" does not exist"#),
    ("insert into b values (null, null, null, 1)", "INSERT has more expressions than target columns"),
    ("grant select on nowhere to anon", #"relation "nowhere" does not exist"#),
    ("drop table nowhere", #"table "nowhere" does not exist"#),
    ("drop type nothing", #"type "nothing" does not exist"#),
    ("drop function x()", "function x() does not exist"),
    ("drop index x", #"index "x" does not exist"#),
    ("drop policy x on a", #"policy "x" for table "a" does not exist"#),
    ("drop trigger x on a", #"trigger "x" for table "a" does not exist"#),
    (
      "drop table a",
      "cannot drop table a because other objects depend on it: constraint b_a_id_fkey on table b; "
        + "write CASCADE to drop them too"
    ),
    (
      "alter table a drop constraint a_pkey",
      "cannot drop constraint a_pkey on table a because other objects depend on it: constraint b_a_id_fkey on table b; "
        + "write CASCADE to drop them too"
    ),
    (
      "drop function f()",
      "cannot drop function f() because other objects depend on it: trigger g on table b; "
        + "write CASCADE to drop them too"
    ),
    (
      "drop type mood",
      "cannot drop type mood because other objects depend on it: column m of table a; drop the column first"
    ),
    (
      "drop index a_pkey",
      "cannot drop index a_pkey because constraint a_pkey on table a requires it; drop the constraint instead"
    ),
  ]

  @Test(arguments: cases) func `are problems in PostgreSQL's words`(statement: String, message: String) throws {
    let line = Self.base.split(separator: "\n", omittingEmptySubsequences: false).count
    let problems = try Catalogues.problems(Self.base + statement + ";")
    #expect(problems.count == 1)
    let first = problems.first ?? ""
    #expect(first.hasPrefix("schema.sql:\(line):"))
    #expect(first.contains(": " + message), "\(first)")
    #expect(try Catalogues.catalogue(Self.base + statement) == Catalogues.catalogue(Self.base))
  }

  @Test func `hide no others, and cause none`() throws {
    let text = """
      create table c (id nothing);
      create index on c (id);
      alter table c enable row level security;
      create policy q on c using (true);
      create table e (id int references c);
      create table a (id int);
      """
    #expect(
      try Catalogues.problems(Self.base + text).map { $0.drop { $0 != " " } } == [
        #" type "nothing" does not exist"#, #" relation "a" already exists"#,
      ])
  }

  @Test func `are too many tables`() throws {
    let text = (1...2_100).map { "create table t\($0) (id int primary key);\n" }.joined()
    let problems = try Catalogues.problems(text)
    #expect(problems.count == 103)
    #expect(problems.first == "schema.sql:1998:14: a schema has at most 2000 tables")
  }
}
