import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `a time` {
  @Test(arguments: [
    ("'2026-01-31'::date + 1", "2026-02-01"), ("3 + '2026-01-31'::date", "2026-02-03"),
    ("'2026-01-31'::date - '2026-01-01'::date", "30"), ("'2026-01-31'::date - '2026-01-01'", "30"),
    ("'2026-01-31'::date + interval '1 month'", "2026-02-28 00:00:00"),
    ("'2026-01-31'::timestamp + interval '1 month'", "2026-02-28 00:00:00"),
    ("'2024-02-29'::timestamptz + interval '1 year'", "2025-02-28 00:00:00+00"),
    ("'2024-02-29'::timestamptz - interval '1 year 1 day'", "2023-02-27 00:00:00+00"),
    ("tz + '7 days'", "2024-03-07 23:30:00+00"),
    ("tz - '7 days'", #"22007 invalid input syntax for type timestamp with time zone: "7 days""#),
    ("interval '90 minutes' + ts", "2026-05-04 08:38:09.123456"),
    ("dt + '7'", "42725 operator is not unique: date + unknown"),
    ("ts - '1 hour'", #"22007 invalid input syntax for type timestamp: "1 hour""#),
    ("dt + tm", "2026-05-04 07:08:09.5"), ("'infinity'::date + 1", "infinity"),
    ("'infinity'::timestamp + interval '1 day'", "infinity"),
    ("'infinity'::date - '2026-01-01'::date", "22008 cannot subtract infinite dates"),
    ("'10:00'::time + interval '15 hours'", "01:00:00"), ("tm + interval '2 days'", "07:08:09.5"),
    ("tm - interval '8 hours'", "23:08:09.5"),
    ("ts + interval '-2 weeks 3 hours 5 seconds'", "2026-04-20 10:08:14.123456"),
    ("ts + interval '1 fortnight'", #"22007 invalid input syntax for type interval: "1 fortnight""#),

    ("ts + interval '200000 years'", "202026-05-04 07:08:09.123456"),
  ])
  func `moves by constant spans`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("timezone('utc', tz)", "2024-02-29 23:30:00"), ("ts at time zone 'UTC'", "2026-05-04 07:08:09.123456+00"),
    ("timezone('utc'::text, null::timestamptz)", "null"),
    ("timezone('Europe/Berlin', tz)", #"0A000 the time zone "Europe/Berlin" is not supported: use UTC"#),
  ])
  func `is shown by the clock of the zone UTC`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("'2026-05-04 10:11:12.5'::timestamp(0)", "2026-05-04 10:11:13"),
    ("'2026-05-04 10:11:12.345678'::timestamp(3)", "2026-05-04 10:11:12.346"),
    ("'1969-12-31 23:59:59.5'::timestamp(0)", "1969-12-31 23:59:59"), ("ts::timestamp(1)", "2026-05-04 07:08:09.1"),
    ("date_trunc('week', ts)", "2026-05-04 00:00:00"), ("date_trunc('quarter', tz)", "2024-01-01 00:00:00+00"),
    ("date_trunc('year', tz)", "2024-01-01 00:00:00+00"), ("date_trunc('minute', ts)", "2026-05-04 07:08:00"),
    ("date_trunc('nope', ts)", #"22023 unit "nope" not recognized for type timestamp without time zone"#),
    ("date_trunc('day', dt)", "2026-05-04 00:00:00+00"), ("extract(year from dt)", "2026"),
    ("extract(epoch from tz)", "1709249400.000000"), ("extract(epoch from dt)", "1777852800"),
    ("extract(second from ts)", "9.123456"), ("extract(milliseconds from ts)", "9123.456"),
    ("extract(week from dt)", "19"), ("extract(dow from dt)", "1"), ("extract(isodow from dt)", "1"),
    ("extract(doy from tz)", "60"), ("extract(quarter from ts)", "2"), ("extract(hour from tm)", "7"),
    ("extract(year from tm)", #"0A000 unit "year" not supported for type time without time zone"#),
    ("extract(hour from dt)", #"0A000 unit "hour" not supported for type date"#),
    ("extract(nope from ts)", #"22023 unit "nope" not recognized for type timestamp without time zone"#),
    ("extract(year from '2026-01-01')", "42725 function pg_catalog.extract(unknown, unknown) is not unique"),
    ("date_part('year', dt)", "2026"), ("date_part('second', ts)", "9.123456"),
  ])
  func `is rounded and taken apart`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
