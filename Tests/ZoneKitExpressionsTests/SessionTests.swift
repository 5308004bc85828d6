import Testing
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema

@Suite struct `a value of the session` {
  private static let claims = """
    {"sub":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","role":"authenticated","email":"a@example.com",\
    "app_metadata":{"team":"x"}}
    """

  @Test(arguments: [
    ("auth.uid()", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), ("auth.uid() = u", "true"),
    ("(select auth.uid()) = u", "true"), ("auth.role()", "authenticated"), ("auth.email()", "a@example.com"),
    ("auth.jwt() ->> 'role'", "authenticated"), ("auth.jwt() -> 'app_metadata' ->> 'team'", "x"),
    ("current_setting('request.jwt.claims', true)::jsonb ->> 'email'", "a@example.com"),
    ("current_setting('request.jwt.claim.sub', true)", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("current_setting('request.jwt.claim.nope', true)", "null"),
    ("current_setting('my.nope')", #"42704 unrecognized configuration parameter "my.nope""#),
    ("current_user", "authenticated"), ("current_role", "authenticated"),
  ])
  func `is that of the token`(text: String, result: String) throws {
    #expect(try Samples.value(text, Samples.context(claims: Self.claims)) == result)
  }

  @Test(arguments: ["auth.uid()", "auth.role()", "auth.jwt()", "auth.jwt() ->> 'sub'", "auth.uid() = u"])
  func `is null without a token`(text: String) throws {
    #expect(try Samples.value(text, Samples.context()) == "null")
  }

  @Test func `is no identifier where the token names none`() throws {
    let context = try Samples.context(claims: #"{"sub":"me"}"#)
    #expect(try Samples.value("auth.uid()", context) == #"22P02 invalid input syntax for type uuid: "me""#)
  }

  @Test(arguments: [
    ("now()", "2026-05-04 07:08:09+00"), ("current_timestamp", "2026-05-04 07:08:09+00"),
    ("transaction_timestamp()", "2026-05-04 07:08:09+00"), ("statement_timestamp()", "2026-05-04 07:08:09+00"),
    ("clock_timestamp()", "2026-05-04 07:08:09+00"), ("current_date", "2026-05-04"), ("localtime", "07:08:09"),
    ("localtimestamp", "2026-05-04 07:08:09"), ("now() - interval '7 days'", "2026-04-27 07:08:09+00"),
    ("now() + '1 month'", "2026-06-04 07:08:09+00"), ("tz < now() - interval '1 hour'", "true"),
    ("gen_random_uuid()", "00000000-0000-0001-0000-000000000002"),
    ("extensions.uuid_generate_v4()", "00000000-0000-0001-0000-000000000002"),
    ("uuid_generate_v4()", "00000000-0000-0001-0000-000000000002"),
    ("current_time", "0A000 CURRENT_TIME is not supported"), ("session_user", "0A000 SESSION_USER is not supported"),
  ])
  func `is that of the context`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("storage.foldername('a/b/c.txt')", "{a,b}"), ("(storage.foldername('a/b.txt'))[1]", "a"),
    ("storage.foldername('c.txt')", "{}"), ("storage.filename('a/b/c.txt')", "c.txt"),
    ("storage.extension('a/b.c/d.tar.gz')", "gz"), ("storage.foldername(null)", "null"),
  ])
  func `of the storage is a part of a path`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    "ts - ts", "tm - tm", "interval '1 day'", "'1 day'::text::interval", "jb - 'a'", "substring('a' from 'b')",
    "date_trunc(x, ts)", "'a' ~ '(?i)a'", "'aa' ~ '(a)\\1'", "'a' ~ '(?=a)'", "array[ia, ia]", "jb['a']",
    "by like 'a'",
  ])
  func `that is not supported is refused before there is a row`(text: String) throws {
    let problem = #expect(throws: ExpressionProblem.self) { try Samples.typed(text) }
    #expect(problem?.failure.code == .notSupported)
  }
}
