import Testing

/// Codes, messages and details are those of PostgreSQL 15 for the same statements.
@Suite struct `inserts into tables of a schema` {
  private static let base = """
    create type mood as enum ('glad', 'sad');
    create table team (id int primary key, name text not null unique, size int default 3 check (size > 0));
    create table person (
      id bigint generated always as identity primary key, team_id int references team on delete cascade,
      boss_id bigint references person on delete set null, name varchar(5) not null, m mood default 'glad',
      made timestamptz default now(), constraint no_self check (boss_id <> id), unique (team_id, name));
    create table tag (id serial primary key, label text, word text);
    create unique index tag_lower on tag (lower(label)) where label is not null;
    create unique index tag_word on tag (word) where label is null;
    insert into team (id, name) values (1, 'red'), (2, 'blue');
    insert into person (team_id, name) values (1, 'ann');
    insert into tag (label) values ('One');

    """

  private static let cases: [(String, String)] = [
    ("insert into team (id, name) values (3, 'green')", "3 green 3"),
    ("insert into team values (4, 'x', null), (5, 'y', 9)", "4 x null\n5 y 9"),
    ("insert into person (team_id, name, m) values (2, 'bob', 'sad')", "2 2 null bob sad 2023-11-14 22:13:20+00"),
    (
      "insert into team (id) values (3)",
      #"23502 null value in column "name" of relation "team" violates not-null constraint"#
        + " | Failing row contains (3, null, 3)."
    ),
    (
      "insert into team (id, name, size) values (3, 'x', 0)",
      #"23514 new row for relation "team" violates check constraint "team_size_check""#
        + " | Failing row contains (3, x, 0)."
    ),
    (
      "insert into team (id, name) values (1, 'x')",
      #"23505 duplicate key value violates unique constraint "team_pkey" | Key (id)=(1) already exists."#
    ),
    (
      "insert into team (id, name) values (3, 'x'), (4, 'x')",
      #"23505 duplicate key value violates unique constraint "team_name_key" | Key (name)=(x) already exists."#
    ),
    (
      "insert into person (team_id, name) values (1, 'ann')",
      #"23505 duplicate key value violates unique constraint "person_team_id_name_key""#
        + " | Key (team_id, name)=(1, ann) already exists."
    ),
    (
      "insert into person (name) values ('ann'), ('ann')",
      "2 null null ann glad 2023-11-14 22:13:20+00\n3 null null ann glad 2023-11-14 22:13:20+00"
    ),
    (
      "insert into person (team_id, name) values (9, 'x')",
      #"23503 insert or update on table "person" violates foreign key constraint "person_team_id_fkey""#
        + #" | Key (team_id)=(9) is not present in table "team"."#
    ),
    (
      "insert into person (id, name) values (7, 'x')",
      #"428C9 cannot insert a non-DEFAULT value into column "id""#
        + #" | Column "id" is an identity column defined as GENERATED ALWAYS."#
    ),
    ("insert into person (name) values ('abcdef')", "22001 value too long for type character varying(5)"),
    ("insert into person (name, m) values ('x', 'mad')", #"22P02 invalid input value for enum mood: "mad""#),
    (
      "insert into tag (label) values ('ONE')",
      #"23505 duplicate key value violates unique constraint "tag_lower" | Key (lower(label))=(one) already exists."#
    ),
    ("insert into tag (label, word) values (null, 'w'), ('a', 'w'), ('b', 'w')", "2 null w\n3 a w\n4 b w"),
    (
      "insert into tag (word) values ('w'), ('w')",
      #"23505 duplicate key value violates unique constraint "tag_word" | Key (word)=(w) already exists."#
    ),
    ("insert into tag (id, label) values (9, 'two')", "9 two null"),
    ("insert into team (id, name) values (1, 'x') on conflict do nothing", ""),
    ("insert into team (id, name) values (1, 'x'), (6, 'z') on conflict (id) do nothing", "6 z 3"),
    (
      "insert into team (id, name) values (3, 'red') on conflict (id) do nothing",
      #"23505 duplicate key value violates unique constraint "team_name_key" | Key (name)=(red) already exists."#
    ),
    (
      "insert into team (id, name) values (3, 'x') on conflict (size) do nothing",
      "42P10 there is no unique or exclusion constraint matching the ON CONFLICT specification"
    ),
  ]

  @Test(arguments: cases) func `return their rows or PostgreSQL's error`(statement: String, result: String) throws {
    var trial = try Trial(Self.base)
    let before = trial.rows("team") + trial.rows("person") + trial.rows("tag")
    #expect(try trial.insert(statement) == result)
    if result.contains("|") || result.isEmpty {
      #expect(trial.rows("team") + trial.rows("person") + trial.rows("tag") == before)
    }
  }

  @Test func `count on after a row that was refused`() throws {
    var trial = try Trial(Self.base)
    _ = try trial.insert("insert into tag (label) values ('one')")
    #expect(try trial.insert("insert into tag (label) values ('new')") == "3 new null")
  }
}
