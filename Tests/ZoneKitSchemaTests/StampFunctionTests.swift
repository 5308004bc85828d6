import Testing
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `trigger functions` {
  private func column(_ body: String) throws -> String? {
    let text = "create function f() returns trigger language plpgsql as $$\(body)$$"
    guard case .createFunction(let function)? = try Samples.statement(text) else { return nil }
    return function.column
  }

  @Test(
    arguments: [
      "now()", "NOW()", "current_timestamp", "CURRENT_TIMESTAMP", "clock_timestamp()", "transaction_timestamp()",
      "statement_timestamp()", "timezone('utc', now())", "timezone('utc'::text, now())", "TIMEZONE('UTC', NOW())",
      "now() at time zone 'utc'", "(now() AT TIME ZONE 'UTC')", "pg_catalog.now()",
    ])
  func `that set a column to the time are kept, however the time is written`(time: String) throws {
    #expect(try column("begin new.updated_at = \(time); return new; end;") == "updated_at")
    #expect(try column("\nBEGIN\n  NEW.updated_at := \(time);\n  RETURN NEW;\nEND\n") == "updated_at")
  }

  @Test func `may have comments and a column in quotes`() throws {
    let body = "begin /* a */ new.\"updatedAt\" -- b\n = now() ; return new ; end"
    #expect(try column(body) == "updatedAt")
    #expect(try column("begin NEW.UPDATED_AT = now(); return NEW; end") == "updated_at")
  }

  @Test(
    arguments: [
      "begin new.a = now(); return old; end", "begin new.a = 1; return new; end", "begin return new; end", "",
      "begin new.a = now(); new.b = now(); return new; end", "begin old.a = now(); return new; end",
      "begin new.a = now() + interval '1 day'; return new; end", "begin new.a = now(1); return new; end",
      "begin if true then new.a = now(); end if; return new; end", "begin new.a = now(); return new; end; x",
      "declare x int; begin new.a = now(); return new; end", "begin new.a = now(); return new;", "begin new.'a",
      "begin new.a = timezone('cet', now()); return new; end", "begin 'new.a' = now(); return new; end",
    ])
  func `with another body are refused`(body: String) throws {
    #expect(try column(body) == nil)
  }
}
