import Testing
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

@testable import ZoneKitTableClient

@Suite struct `a device of a user's own tables` {
  private var service: OwnService

  init() throws {
    service = try OwnService(
      """
      create table notes (
        id int primary key, title text not null check (title <> ''), amount numeric(6, 2), tags text[] default '{}',
        done boolean not null default false, rank double precision, data jsonb, touched int not null default 0);
      create function touch() returns trigger language plpgsql as $$ begin new.touched = old.touched + 1; return new; end; $$;
      create trigger t before update on notes for each row execute function touch();
      create table pairs (a text, b text, n int, primary key (a, b));
      create table own (id int primary key, owner uuid not null default auth.uid(), note text);
      alter table own enable row level security;
      create policy mine on own for all using (owner = auth.uid()) with check (owner = auth.uid());
      create policy seen on own for select using (true);
      create table nameless (n int);
      """)
  }

  private func fields(_ result: RecordResult?) throws -> Fields {
    guard case .record(let record)? = result else {
      Issue.record("\(String(describing: result)) is no record")
      return Fields()
    }
    return try record.fields.decoded()
  }

  private func names(_ page: ZoneChanges?) -> [Name] { page?.page.changes.map(\.recordName) ?? [] }

  // MARK: The schema

  @Test func `knows tables with a key, each after those that it refers to`() throws {
    #expect(service.schema.tables.map(\.name) == ["notes", "own", "pairs"])
    #expect(service.schema.withoutKey == ["nameless"])
    let related = try OwnService(
      "create table z (id int primary key); create table a (id int primary key, z int references z);")
    #expect(related.schema.tables.map(\.name) == ["z", "a"])
    #expect(related.schema.table("a")?.columns.map(\.targets) == [[], ["z"]])
  }

  @Test func `demands no value of a column that a trigger may fill, and keeps no view`() throws {
    let service = try OwnService(
      """
      create table t (id int primary key, author uuid not null);
      create function fill() returns trigger language plpgsql as $$ begin new.author = auth.uid(); return new; end; $$;
      create trigger f before insert on t for each row execute function fill();
      create view v as select id from t;
      """)
    #expect(service.schema.tables.map { $0.columns.map(\.source) } == [[.optional, .optional]])
    #expect(service.schema.withoutKey == [])
  }

  @Test func `knows who gives a column its value`() throws {
    let service = try OwnService(
      """
      create table t (
        id int generated always as identity primary key, a text not null, b text, c int not null default 1,
        d int generated always as (c + 1) stored);
      """)
    #expect(service.schema.tables[0].columns.map(\.source) == [.server, .required, .optional, .optional, .server])
  }

  // MARK: Writing

  @Test mutating func `makes new rows with one insert, and gets what the database gives them`() throws {
    let results = service.write(
      "notes",
      [
        .row(.create, "1", ["id": .int64(1), "title": .string("one")]),
        .row(.create, "2", ["id": .int64(2), "title": .string("two"), "amount": .string("1.5"), "done": .int64(1)]),
      ])
    #expect(service.requests.map(\.method) == ["POST"])
    #expect(try fields(results.first)["tags"] == .string("{}"))
    #expect(try fields(results.last)["amount"] == .string("1.50"))
    #expect(try fields(results.last)["done"] == .int64(1))
  }

  @Test mutating func `writes values of each type as they are read`() throws {
    let values: [Name: FieldValue] = [
      "id": .int64(7), "title": .string("a,b\"c"), "amount": .string("-3.25"), "tags": .string("{a,\"b c\",NULL}"),
      "done": .int64(0), "rank": .double(0.1), "data": .string("{\"a\": [1, null]}"), "touched": .int64(3),
    ]
    let result = service.write("notes", [.row(.create, "7", values)]).first
    #expect(try fields(result) == Fields(values.map { Field(name: $0.key, value: $0.value) }))
    let page = service.page("notes")
    guard case .saved(let record)? = page?.page.changes.first else { return #expect(Bool(false), "no row") }
    #expect(try record.fields.decoded() == fields(result))
    if case .record(let made)? = result { #expect(record.changeTag == made.changeTag) }
  }

  @Test mutating func `inserts rows one by one if the database refuses one of them`() {
    let results = service.write(
      "notes",
      [
        .row(.create, "1", ["id": .int64(1), "title": .string("one")]),
        .row(.create, "2", ["id": .int64(2), "title": .string("")]),
      ])
    #expect(service.requests.count == 3)
    #expect(results.map(\.error?.code) == [nil, .invalidArguments])
    #expect(results[1].error?.reason.contains("notes_title_check") == true)
  }

  @Test mutating func `recognises a row whose insert was not answered, and no other with its key`() throws {
    let row = RecordOperation.row(.create, "1", ["id": .int64(1), "title": .string("one")])
    _ = service.write("notes", [row])
    #expect(try fields(service.write("notes", [row]).first)["title"] == .string("one"))
    let other = RecordOperation.row(.create, "1", ["id": .int64(1), "title": .string("other")])
    #expect(service.write("notes", [other]).map(\.error?.code) == [.constraintViolation])
  }

  @Test mutating func `changes only the columns that it names, and gets the row as it is then`() throws {
    _ = service.write("notes", [.row(.create, "1", ["id": .int64(1), "title": .string("one"), "rank": .double(2)])])
    _ = service.write("notes", [.row(.update, "1", ["title": .string("two")])])
    let result = try fields(service.write("notes", [.row(.update, "1", ["rank": nil, "amount": .string("4")])]).first)
    #expect(service.requests.map(\.method) == ["PATCH"])
    #expect(result["title"] == .string("two"))
    #expect(result["rank"] == nil)
    #expect(result["amount"] == .string("4.00"))
    #expect(result["touched"] == .int64(2))
  }

  @Test mutating func `deletes a row, also one that is deleted already`() {
    _ = service.write("notes", [.row(.create, "1", ["id": .int64(1), "title": .string("one")])])
    #expect(service.write("notes", [.row(.delete, "1")]) == [.deleted("1")])
    #expect(service.write("notes", [.row(.delete, "1")]) == [.deleted("1")])
    #expect(service.write("notes", [.row(.update, "1", ["title": .string("x")])]).map(\.error?.code) == [.unknownItem])
  }

  @Test mutating func `tells a row that a policy protects from one that is gone`() {
    _ = service.write("own", [.row(.create, "1", ["id": .int64(1), "note": .string("anna's")])])
    service.account = OwnService.ben
    #expect(
      service.write("own", [.row(.update, "1", ["note": .string("ben's")])]).map(\.error?.code) == [.permissionFailure])
    #expect(service.write("own", [.row(.delete, "1")]).map(\.error?.code) == [.permissionFailure])
    let foreign = RecordOperation.row(.create, "2", ["id": .int64(2), "owner": .string(OwnService.anna.text)])
    #expect(service.write("own", [foreign]).map(\.error?.code) == [.permissionFailure])
  }

  @Test mutating func `keeps the results in the order of the operations`() {
    _ = service.write("notes", [.row(.create, "1", ["id": .int64(1), "title": .string("one")])])
    let results = service.write(
      "notes",
      [
        .row(.update, "1", ["title": .string("new")]), .row(.create, "2", ["id": .int64(2), "title": .string("two")]),
        .row(.delete, "3"),
      ])
    #expect(
      results.map { result -> Name? in
        switch result {
        case .record(let record), .kept(let record): record.recordName
        case .deleted(let name, _): name
        case .failed(let name, _): name
        }
      } == ["1", "2", "3"])
  }

  // MARK: Reading

  @Test mutating func `reads a table in pages in the order of its keys, and then from the beginning`() throws {
    let rows = (1...120).map { RecordOperation.row(.create, Name("\($0)"), ["id": .int64($0), "title": .string("t")]) }
    _ = service.write("notes", rows)
    let beginning = service.page("notes", limit: 70)
    let first = try #require(beginning)
    #expect(names(first) == (1...70).map { Name("\($0)") })
    #expect(first.moreComing)
    let following = service.page("notes", after: first.token, limit: 70)
    let second = try #require(following)
    #expect(names(second) == (71...120).map { Name("\($0)") })
    let rest = second.moreComing ? service.page("notes", after: second.token, limit: 70) : second
    let third = try #require(rest)
    #expect(!third.moreComing)
    #expect(names(service.page("notes", after: third.token, limit: 70)) == names(first))
  }

  @Test mutating func `goes on behind a key of several columns, with any mark in it`() throws {
    let keys = [("a", "x"), ("a", "y,z"), ("a%2C", "\"("), ("a,", "x"), ("b", ".")]
    for (a, b) in keys {
      let table = try #require(service.schema.table("pairs"))
      let name = table.recordName(ofKey: [a, b])
      #expect(table.key(ofRecord: name) == [a, b])
      let made = service.write("pairs", [.row(.create, name, ["a": .string(a), "b": .string(b)])])
      #expect(try fields(made.first)["b"] == .string(b))
    }
    let table = try #require(service.schema.table("pairs"))
    for (place, key) in keys.enumerated() {
      let token = ChangeToken(
        "p1." + Base64.encodeForURL(JSON.array([.string(key.0), .string(key.1)]).bytes()))
      let rest = Set(keys[(place + 1)...].map { table.recordName(ofKey: [$0.0, $0.1]) })
      #expect(Set(names(service.page("pairs", after: token))) == rest)
    }
    let wanted = keys.map { table.recordName(ofKey: [$0.0, $0.1]) }
    let lookup = CloudRequest.lookupRecords(zoneID: table.zoneID, recordNames: wanted + ["none,none"])
    guard case .records(let results) = service.answer(lookup) else { return #expect(Bool(false), "no answer") }
    #expect(results.map(\.error?.code) == [nil, nil, nil, nil, nil, .unknownItem])
  }

  @Test mutating func `refuses a token of another kind, and names a table that is not there`() {
    let query = ZoneChangesQuery(zoneID: ZoneID(zoneName: "notes"), token: ChangeToken("t1.x"))
    let missing = ZoneChangesQuery(zoneID: ZoneID(zoneName: "gone"), token: nil)
    guard case .zoneChanges(let results) = service.answer(.fetchZoneChanges([query, missing])) else {
      return #expect(Bool(false), "no answer")
    }
    let codes = results.map { result -> CloudErrorCode? in
      if case .failed(_, let error) = result { error.code } else { nil }
    }
    #expect(codes == [.changeTokenExpired, .zoneNotFound])
  }
}
