import Testing

@Suite struct `policies of a schema` {
  private static let (ann, bob) = ("00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b")
  private static let base = """
    create table team (id int primary key, name text);
    create table member (team_id int references team, user_id uuid, role text, primary key (team_id, user_id));
    create table task (id int primary key, team_id int references team, title text);
    alter table member enable row level security;
    alter table task enable row level security;
    create policy own on member for select to authenticated using (user_id = auth.uid());
    create policy of_team on task to authenticated using (
      exists (select 1 from member where member.team_id = task.team_id and member.user_id = auth.uid()));
    create policy short on task as restrictive for insert to authenticated with check (length(title) < 5);
    insert into team values (1, 'red'), (2, 'blue');
    insert into member values (1, '\(ann)', 'owner'), (2, '\(bob)', 'owner');
    insert into task values (1, 1, 'one');

    """

  private static func trial(as user: String?) throws -> Trial {
    var trial = try Trial(base)
    (trial.role, trial.user) = (user == nil ? "anon" : "authenticated", user)
    return trial
  }

  @Test func `allow the rows that one of them allows`() throws {
    var trial = try Self.trial(as: Self.ann)
    #expect(try trial.insert("insert into task values (2, 1, 'two')") == "2 1 two")
  }

  @Test(arguments: [
    (ann, "insert into task values (2, 2, 'two')"), (ann, "insert into task values (2, 1, 'longer')"),
    (bob, "insert into task values (2, 1, 'two')"),
  ])
  func `refuse other rows, and show none of their values`(user: String, statement: String) throws {
    var trial = try Self.trial(as: user)
    #expect(
      try trial.insert(statement) == #"42501 new row violates row-level security policy for table "task""#)
  }

  @Test func `allow nothing to a role that none is about`() throws {
    var trial = try Self.trial(as: nil)
    #expect(
      try trial.insert("insert into task values (2, 1, 'two')")
        == #"42501 new row violates row-level security policy for table "task""#)
  }

  @Test func `keep values out of messages`() throws {
    var trial = try Self.trial(as: Self.ann)
    #expect(
      try trial.insert("insert into task values (1, 1, 'two')")
        == #"23505 duplicate key value violates unique constraint "task_pkey""#)
  }

  @Test func `hold for the tables that other policies read`() throws {
    var trial = try Trial(
      Self.base + """
        create table note (id int primary key, team_id int);
        alter table note enable row level security;
        create policy of_team on note to authenticated using (
          exists (select 1 from member where member.team_id = note.team_id));
        """)
    (trial.role, trial.user) = ("authenticated", Self.ann)
    #expect(try trial.insert("insert into note values (1, 1)") == "1 1")
    #expect(
      try trial.insert("insert into note values (2, 2)")
        == #"42501 new row violates row-level security policy for table "note""#)
  }

  @Test func `may read their own table through a policy without a query`() throws {
    var trial = try Trial(
      """
      create table t (id int); alter table t enable row level security;
      create policy s on t for select using (true);
      create policy i on t for insert with check ((select count(*) from t) < 2);
      """)
    trial.role = "authenticated"
    #expect(try trial.insert("insert into t values (1)") == "1")
    #expect(try trial.insert("insert into t values (2)") == "2")
    #expect(
      try trial.insert("insert into t values (3)")
        == #"42501 new row violates row-level security policy for table "t""#)
  }

  @Test func `that need each other are refused`() throws {
    var trial = try Trial(
      """
      create table t (id int); alter table t enable row level security;
      create policy p on t using (exists (select 1 from t x where x.id = t.id));
      """)
    trial.role = "authenticated"
    #expect(
      try trial.insert("insert into t values (1)")
        == #"42P17 infinite recursion detected in policy for relation "t""#)
  }
}
