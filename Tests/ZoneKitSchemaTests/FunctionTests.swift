import Testing
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `functions of a schema` {
  private func function(_ body: String, returns result: String = "trigger", _ options: String = "language plpgsql")
    throws
    -> CreateFunction
  {
    let text = "create function f(a int, b text default 'x') returns \(result) \(options) as $$\(body)$$"
    guard case .createFunction(let function)? = try Samples.statement(text) else {
      return CreateFunction(SQLName(""), returns: .other, .unsupported("not read"), sql: "")
    }
    return function
  }

  private func steps(_ body: String, returns result: String = "trigger") throws -> [RoutineBody.Step] {
    guard case .steps(let body) = try function(body, returns: result).body else { return [] }
    return body.steps
  }

  private func reason(_ body: String, returns result: String = "trigger", _ options: String = "language plpgsql") throws
    -> String
  {
    guard case .unsupported(let reason) = try function(body, returns: result, options).body else { return "" }
    return reason
  }

  private static let new = RoutineBody.Step.returns(SQLExpression(.column(SQLColumn("new"))))
  private static let now = SQLExpression(.call(SQLName("now"), []))

  @Test func `have parameters, a result and a language`() throws {
    let function = try function("select b", returns: "text", "language sql security definer stable")
    #expect(function.parameters.map(\.name) == ["a", "b"])
    #expect(function.parameters.map(\.type) == [SQLType(.integer), SQLType(.text)])
    #expect(function.parameters.map(\.defaultValue) == [nil, SQLExpression(.constant(.text("x")))])
    #expect(function.result == .value(SQLType(.text)))
    #expect(function.isDefiner)
    #expect(function.body == .steps(RoutineBody([.returns(SQLExpression(.column(SQLColumn("b"))))])))
  }

  @Test func `set columns of a trigger's row, in both spellings, with comments and names in quotes`() throws {
    let set = RoutineBody.Step.assign(SQLColumn(table: "new", "updated_at"), Self.now)
    #expect(try steps("begin new.updated_at = now(); return new; end") == [set, Self.new])
    #expect(try steps("\nBEGIN -- a\n  NEW.UPDATED_AT := NOW(); /* b */ RETURN NEW;\nEND;\n") == [set, Self.new])
    let quoted = RoutineBody.Step.assign(SQLColumn(table: "new", "updatedAt"), Self.now)
    #expect(try steps("begin new.\"updatedAt\" := now(); return new; end") == [quoted, Self.new])
  }

  @Test func `have variables, branches, queries and writes`() throws {
    let body = """
      declare n int := 0; who uuid;
      begin
        select count(*) into n from t where t.x = new.x;
        if n > 3 and case when a = 1 then true else false end then
          raise exception 'too many: %', n using errcode = 'PT409';
        elsif n = 2 then
          update t set x = x + 1 where id = new.id;
        else
          insert into log (what) values (new.x) returning id into who;
        end if;
        delete from t where id = old.id;
        return null;
      end
      """
    guard case .steps(let read) = try function(body).body else {
      Issue.record("the body is not read")
      return
    }
    #expect(read.variables.map(\.name) == ["n", "who"])
    #expect(read.steps.count == 4)
    guard case .branch(let branches, let otherwise) = read.steps[1] else {
      Issue.record("there is no branch")
      return
    }
    #expect(branches.count == 2)
    #expect(
      branches[0].steps == [
        .raise(
          RoutineBody.Raise(
            "too many: %", [SQLExpression(.column(SQLColumn("n")))],
            options: [.init(name: "errcode", value: SQLExpression(.constant(.text("PT409"))))]))
      ])
    guard case .write(.insert(let rows), let targets) = otherwise.first else {
      Issue.record("there is no insert")
      return
    }
    #expect(rows.returning.count == 1)
    #expect(targets == [SQLColumn("who")])
  }

  @Test(
    arguments: [
      ("begin for i in execute 'x' loop null; end loop; return new; end", "EXECUTE is not supported"),
      ("begin open c; return new; end", "OPEN is not supported"),
      ("begin return new; exception when lost then return new; end", "the condition lost is not known"),
      ("begin get diagnostics a = pg_context; end", "GET DIAGNOSTICS is supported only for ROW_COUNT"),
      ("begin return new; end; x", "“x” behind the end is not expected"),
      ("begin new.a = 1", "expected ; before the end"),
      ("begin return new;", "expected END before the end"),
      ("begin new.a = (select 1; return new; end", "expected ; before “;”"),
      ("begin new.a = 1 1; return new; end", "syntax error at or near \"1\""),
      ("begin return 1; end", "a trigger returns NEW, OLD or NULL"),
      ("begin select 1; return new; end", "a SELECT without INTO is not supported"),
      ("", "expected BEGIN before “the end”"), ("begin 'x", "“'x” is not the beginning of a step"),
    ])
  func `that do anything else are kept with the reason`(body: String, reason expected: String) throws {
    #expect(try reason(body) == expected)
  }

  @Test(
    arguments: [
      (
        "select 1", "record", "language sql",
        "a function that returns a record is not supported: write RETURNS TABLE (…)"
      ),
      ("select 1", "int", "language plv8", "the language plv8 is not supported: write sql or plpgsql"),
      ("select $3", "int", "language sql", "there is no parameter $3"),
      (
        "select 1", "int", "language sql set work_mem = '1MB'",
        "SET work_mem of a function is not supported: leave it out"
      ),
    ])
  func `of other kinds are kept with the reason`(body: String, result: String, options: String, expected: String) throws
  {
    #expect(try reason(body, returns: result, options) == expected)
  }

  @Test func `nested too deeply are refused at once`() throws {
    let body = String(repeating: "begin ", count: 20_000)
    #expect(try reason(body) == "its blocks nest too deeply")
    let branches = String(repeating: "if true then ", count: 20_000)
    #expect(try reason("begin " + branches) == "its blocks nest too deeply")
  }
}

@Suite struct `blocks that make objects unless they are there` {
  private func block(_ body: String) throws -> [SchemaStatement] {
    guard case .attempt(let block)? = try Samples.statement("do $$\(body)$$") else { return [] }
    return block.statements
  }

  @Test func `have the statements behind conditions about the database's catalogue`() throws {
    let type = SchemaStatement.createEnum(CreateEnum(SQLName("mood"), ["good"]))
    let guarded = "begin if not exists (select 1 from pg_type where typname = 'mood') then "
    #expect(try block(guarded + "create type mood as enum ('good'); end if; end") == [type])
    let caught = "begin create type mood as enum ('good'); exception when duplicate_object then null; end"
    #expect(try block(caught) == [type])
    #expect(try block("begin raise notice 'x'; execute 'create type mood as enum (''good'')'; end") == [type])
  }

  @Test(
    arguments: [
      (
        "begin if 1 = 1 then null; end if; end",
        "IF 1 = 1 is not supported: only whether an object is there can be asked"
      ),
      ("declare x int; begin null; end", "variables are not supported"),
      (
        "begin create materialized view v as select 1; end",
        "create materialized view is not supported: write create view"
      ),
      ("begin execute format('x'); end", "EXECUTE needs a constant text"),
    ])
  func `that do anything else are refused with the reason`(body: String, reason: String) throws {
    let problem = "schema.sql:1:1: a do block does what is not supported: \(reason); write its statements themselves"
    #expect(try Samples.problems("do $$\(body)$$") == [problem])
  }
}
