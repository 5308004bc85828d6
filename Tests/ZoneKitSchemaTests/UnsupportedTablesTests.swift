import Testing
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `unsupported parts of tables` {
  @Test(
    arguments: [
      ("create temporary table t (a int)", ["24: a temporary table is not supported: leave it out"]),
      ("create unlogged table t (a int)", ["23: an unlogged table is not supported: leave out UNLOGGED"]),
      ("create table t ()", ["14: a table without columns is not supported: write at least its key"]),
      ("create table t (a int) inherits (u)", ["1: INHERITS is not supported: repeat the columns"]),
      (
        "create table t (a int) partition by range (a)",
        [
          "1: a partitioned table is not supported: leave out PARTITION BY"
        ]
      ),
      ("create table t (a int) with (fillfactor = 70)", ["1: options in brackets are not supported: leave them out"]),
      ("create table t (a int) tablespace x", ["1: a tablespace is not supported: leave it out"]),
      ("create table t (like u)", ["22: LIKE is not supported: write the columns"]),
      ("create table t (a citext)", ["19: the type citext is not supported: use text"]),
      (
        "create table t (a money, b inet, c point, d tsvector, e interval, f xml)",
        [
          "19: the type money is not supported: use numeric",
          "28: the type inet is not supported: use text",
          "36: the type point is not supported: use two columns of double precision",
          "45: the type tsvector is not supported: use text",
          "57: a column of the type interval is not supported: use integer, for seconds",
          "69: the type xml is not supported: use text",
        ]
      ),
      ("create table t (a text[][])", ["19: an array of 2 dimensions is not supported: use jsonb"]),
      ("create table t (a text[3])", ["19: the size of an array is not supported: write text[]"]),
      ("create table t (a jsonb[])", ["19: an array of jsonb is not supported: use text[] or jsonb"]),
      ("create table t (a varchar(0))", ["19: the type varchar takes one number from 1 to 10485760"]),
      (
        "create table t (a numeric(2000, 1))",
        [
          "19: the type numeric takes a precision from 1 to 1000 and a scale from -1000 to 1000"
        ]
      ),
      ("create table t (a timestamptz(9))", ["19: the type timestamptz takes one number from 0 to 6"]),
      ("create table t (a mood(3))", ["19: numbers behind the type mood are not supported: leave them out"]),
      ("create table t (a time with time zone)", ["19: the type timetz is not supported: use timestamptz"]),
      (#"create table t (a text collate "C")"#, ["17: a collation is not supported: leave it out"]),
      (
        "create table t (a int generated always as identity (start 10))",
        [
          "23: options in brackets are not supported: leave them out"
        ]
      ),
      (
        "create table t (a int unique deferrable)",
        [
          "30: a constraint that can be deferred is supported only for references: leave out DEFERRABLE"
        ]
      ),
      (
        "create table t (a int references u deferrable initially deferred)",
        [
          "47: INITIALLY DEFERRED is not supported: each statement is checked at its end; leave it out"
        ]
      ),
      ("create table t (a int references u match full)", ["23: MATCH FULL is not supported: leave it out"]),
      (
        "create table t (a int, foreign key (a) references u on delete set null (a))",
        [
          "24: columns behind SET NULL are not supported: leave them out"
        ]
      ),
      (
        "create table t (a int, exclude using gist (a with =))",
        [
          "24: an exclusion constraint is not supported: write a unique constraint, or a check"
        ]
      ),
      (
        "create table t (a int, check (a > 0) no inherit)",
        [
          "24: NO INHERIT is not supported: no table inherits; leave it out"
        ]
      ),
      ("create table t (a int, unique (a) include (b))", ["24: INCLUDE is not supported: leave it out"]),
      ("create table db.public.t (a int)", ["14: a name with a database is not supported: write schema.name"]),
    ] as [(String, [String])])
  func `have problems that say where, what and what would be right`(text: String, problems: [String]) throws {
    let reading = try Samples.reading("begin;\n" + text)
    #expect(reading.problems.map(\.description) == problems.map { "schema.sql:2:\($0)" })
    #expect(reading.statements.map(\.statement) == [.transaction(.begin)])
  }
}
