import Testing

@Suite struct `changes of rows of a schema` {
  private static let base = """
    create function touch() returns trigger language plpgsql as 'begin new.seen = now(); return new; end';
    create table a (id int primary key, n int unique, seen timestamptz);
    create table b (id int primary key, a_id int default 2 references a (id) on delete cascade on update cascade);
    create table c (id int primary key, b_id int references b on delete set null, a_n int references a (n));
    create table d (id int primary key, c_id int not null references c on delete set null);
    create table e (id int primary key, a_id int default 2 references a on delete set default);
    create trigger t before update on a for each row execute function touch();
    insert into a (id, n) values (1, 10), (2, 20), (3, 30);
    insert into b values (1, 1), (2, 1), (3, 2);
    insert into c values (1, 1, null), (2, 3, 20), (3, 3, 30);
    insert into e values (1, 3);

    """

  @Test func `set the time of the statement where a trigger says so`() throws {
    var trial = try Trial(Self.base)
    #expect(
      trial.update("a", where: "id", is: "2", ["n": "21"]) == """
        23503 update or delete on table "a" violates foreign key constraint "c_a_n_fkey" on table "c" \
        | Key (n)=(20) is still referenced from table "c".
        """)
    #expect(trial.update("a", where: "id", is: "1", ["n": "11"]) == "1 11 2023-11-14 22:13:20+00")
  }

  @Test func `go on to the rows that refer to a deleted one`() throws {
    var trial = try Trial(Self.base)
    #expect(trial.delete("a", where: "id", is: "1") == "1 10 null")
    // The row, two of b, and one of c.
    #expect(trial.changes.count == 4)
    #expect(trial.rows("b") == "3 2")
    #expect(trial.rows("c") == "1 null null\n2 3 20\n3 3 30")
  }

  @Test func `go on to the rows that refer to a changed key`() throws {
    var trial = try Trial(Self.base)
    #expect(trial.update("a", where: "id", is: "1", ["id": "9"]) == "9 10 2023-11-14 22:13:20+00")
    #expect(trial.rows("b") == "1 9\n2 9\n3 2")
  }

  @Test func `are refused where a row is still referred to`() throws {
    var trial = try Trial(Self.base)
    let before = trial.rows("a") + trial.rows("b")
    #expect(
      trial.delete("a", where: "id", is: "2") == """
        23503 update or delete on table "a" violates foreign key constraint "c_a_n_fkey" on table "c" \
        | Key (n)=(20) is still referenced from table "c".
        """)
    #expect(trial.rows("a") + trial.rows("b") == before)
  }

  @Test func `are refused where a reference would have no value`() throws {
    var trial = try Trial(Self.base)
    _ = try trial.insert("insert into d values (1, 1)")
    #expect(
      trial.delete("c", where: "id", is: "1") == """
        23502 null value in column "c_id" of relation "d" violates not-null constraint \
        | Failing row contains (1, null).
        """)
  }

  @Test func `give references their default`() throws {
    var trial = try Trial(Self.base)
    _ = trial.delete("c", where: "id", is: "3")
    #expect(trial.delete("a", where: "id", is: "3") == "3 30 null")
    #expect(trial.rows("e") == "1 2")
  }

  @Test func `merge a new row into the one with its key`() throws {
    var trial = try Trial(Self.base)
    #expect(
      trial.upsert("a", by: ["id"], ["id": "1", "n": "12"], ["id": "4", "n": "40"]) == """
        1 12 2023-11-14 22:13:20+00
        4 40 null
        """)
    #expect(
      trial.upsert("a", by: ["id"], ["id": "5", "n": "50"], ["id": "5", "n": "51"])
        == "21000 ON CONFLICT DO UPDATE command cannot affect row a second time")
    #expect(trial.rows("a").split(separator: "\n").count == 4)
  }
}

@Suite struct `tables with an arbiter` {
  private static let base = """
    create table note (id int primary key, text text, edited_at timestamptz default now());
    comment on table note is 'Notes. @zonekit arbiter edited_at';
    insert into note values (1, 'a', '2026-05-02 10:00:00+00');

    """

  @Test func `keep the row whose column is the greater one`() throws {
    var trial = try Trial(Self.base)
    let older = trial.update("note", where: "id", is: "1", ["text": "b", "edited_at": "2026-05-02 09:00:00+00"])
    #expect(older == "1 a 2026-05-02 10:00:00+00")
    #expect(trial.changes == [])
    let merged = trial.upsert("note", by: ["id"], ["id": "1", "text": "c", "edited_at": "2026-05-02 09:59:59+00"])
    #expect(merged == "1 a 2026-05-02 10:00:00+00")
    let newer = trial.upsert("note", by: ["id"], ["id": "1", "text": "d", "edited_at": "2026-05-02 10:00:00+00"])
    #expect(newer == "1 d 2026-05-02 10:00:00+00")
    #expect(trial.changes.count == 1)
  }

  @Test func `take a write that does not name the column`() throws {
    var trial = try Trial(Self.base)
    #expect(trial.update("note", where: "id", is: "1", ["text": "b"]) == "1 b 2026-05-02 10:00:00+00")
    #expect(trial.update("note", where: "id", is: "1", ["edited_at": nil]) == "1 b null")
  }
}

@Suite struct `computed columns` {
  private static let base = """
    create table line (
      id int primary key, price numeric(10,2) not null, count int not null default 1,
      total numeric(12,2) generated always as (price * count) stored);
    insert into line (id, price, count) values (1, 2.50, 3);

    """

  @Test func `follow the columns that they are computed of`() throws {
    var trial = try Trial(Self.base)
    #expect(trial.rows("line") == "1 2.50 3 7.50")
    #expect(trial.update("line", where: "id", is: "1", ["count": "4"]) == "1 2.50 4 10.00")
    #expect(try trial.insert("insert into line (id, price, total) values (2, 1, default)") == "2 1.00 1 1.00")
  }

  @Test func `take no value of a writer`() throws {
    var trial = try Trial(Self.base)
    #expect(
      try trial.insert("insert into line (id, price, total) values (2, 1, 5)")
        == "428C9 cannot insert a non-DEFAULT value into column \"total\" | Column \"total\" is a generated column.")
    #expect(
      trial.update("line", where: "id", is: "1", ["total": "5"])
        == "428C9 column \"total\" can only be updated to DEFAULT | Column \"total\" is a generated column.")
  }

  @Test(
    arguments: [
      ("now()", "generation expression is not immutable"),
      ("(select 1)", "cannot use subquery in column generation expression"),
      ("nothing", "column \"nothing\" does not exist"),
    ])
  func `are refused if their value could change without their row`(value: String, reason: String) throws {
    let text = "create table t (a timestamptz generated always as (\(value)) stored)"
    #expect(throws: (any Error).self) { try Trial(text) }
    do {
      _ = try Trial(text)
    } catch {
      #expect("\(error)".hasSuffix(reason))
    }
  }
}
