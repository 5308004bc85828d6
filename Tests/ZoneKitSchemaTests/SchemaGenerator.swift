import ZoneKitRecords
import ZoneKitSchema

/// Draws well-formed parts of schemas from a seed.
struct SchemaGenerator {
  var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Whether an event of one in so many happens.
  mutating func chance(_ count: Int = 2) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  /// One of those.
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  /// As many as that, or fewer, but at least so many.
  mutating func some<Element>(
    _ range: ClosedRange<Int>, _ make: (inout SchemaGenerator) -> Element
  ) -> [Element] {
    (0..<Int.random(in: range, using: &generator)).map { _ in make(&self) }
  }

  /// The value, or nil.
  mutating func maybe<Element>(_ make: (inout SchemaGenerator) -> Element) -> Element? { chance() ? make(&self) : nil }

  mutating func identifier() -> String {
    one(of: [
      "a", "b", "tasks", "user", "order", "Table", "select", "with space", "quo\"te", "it's", "größe", "x1", "_y",
      "interval", "values", "public", "now", "coalesce", "left", "char", "time", "9lives", "$d", "is", "new", "end",
    ])
  }

  mutating func name() -> SQLName { SQLName(schema: maybe { $0.identifier() }, identifier()) }

  mutating func text() -> String {
    one(of: ["", "a", "it's", "back\\slash", "two\nlines", "ü 😀", "$$", "--", "/*", "\"", ";", "e\u{301}", "'", "\t"])
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func type(inCast: Bool = false) -> SQLType {
    var kinds: [SQLType.Kind] = [
      .uuid, .text, .varchar(length: maybe { $0.number(1...99) }), .char(length: number(1...9)), .boolean, .smallint,
      .integer, .bigint, .numeric(precision: nil, scale: nil), .numeric(precision: number(1...99), scale: nil),
      .numeric(precision: number(1...99), scale: number(-9...9)), .real, .doublePrecision, .date,
      .time(precision: maybe { $0.number(0...6) }), .timestamp(precision: maybe { $0.number(0...6) }),
      .timestamptz(precision: maybe { $0.number(0...6) }), .json, .jsonb, .bytea,
      .named(SQLName(schema: maybe { _ in "public" }, one(of: ["mood", "Size", "two words", "état", "order"]))),
    ]
    kinds += inCast ? [.interval] : [.smallserial, .serial, .bigserial]
    let arrays: [SQLType.Kind] = [.uuid, .text, .integer, .bigint, .named(SQLName("mood")), .varchar(length: 3)]
    return chance(4) ? SQLType(one(of: arrays), isArray: true) : SQLType(one(of: kinds))
  }

  mutating func constant() -> SQLConstant {
    switch number(0...5) {
    case 0: .null
    case 1: .boolean(chance())
    case 2: .integer(Int64(number(-3...3)))
    case 3: .integer(one(of: [.max, .min + 1, 1 << 31, -1 << 31, 1 << 31 - 1, -1 << 31 - 1]))
    case 4: .number(one(of: ["1.5", "-1.5", "1e10", "0.0", "99999999999999999999", "-1e-3", ".5"]))
    default: .text(text())
    }
  }

  mutating func column() -> SQLColumn {
    let table = maybe { $0.identifier() }
    let schema = table == nil ? nil : maybe { $0.identifier() }
    return SQLColumn(schema: schema, table: table, identifier())
  }

  /// An expression of at most that many levels.
  mutating func expression(_ depth: Int = 4) -> SQLExpression {
    guard depth > 0, !chance(5) else {
      switch number(0...2) {
      case 0: return SQLExpression(.constant(constant()))
      case 1: return SQLExpression(.column(column()))
      default: return SQLExpression(.keyword(one(of: SQLKeyword.allCases)))
      }
    }
    return SQLExpression(chance() ? condition(depth - 1) : value(depth - 1))
  }

  private mutating func value(_ depth: Int) -> SQLExpression.Kind {
    switch number(0...10) {
    case 0: .cast(expression(depth), type(inCast: true))
    case 1:
      // The parser computes the sign of a constant itself.
      .negated(SQLExpression(.column(column())))
    case 2, 3: .binary(expression(depth), one(of: SQLOperator.allCases), expression(depth))
    case 4: .call(name(), some(0...3) { $0.expression(depth) })
    case 5: .call(SQLName(one(of: ["coalesce", "greatest", "least"])), some(1...3) { $0.expression(depth) })
    case 6: .call(SQLName("nullif"), [expression(depth), expression(depth)])
    case 7: .element(expression(depth), expression(depth))
    case 8: .array(some(0...3) { $0.expression(depth) })
    case 9: .aggregate(aggregate(depth))
    default: chance() ? .query(query(depth, columns: 1)) : .arrayOfQuery(query(depth, columns: 1))
    }
  }

  private mutating func condition(_ depth: Int) -> SQLExpression.Kind {
    let quantifiable: [SQLOperator] = [.equal, .notEqual, .less, .like, .notAnyCaseLike, .matches, .plus]
    switch number(0...9) {
    case 0: return .and(parts(depth) { if case .and = $0 { true } else { false } })
    case 1: return .or(parts(depth) { if case .or = $0 { true } else { false } })
    case 2: return .not(expression(depth))
    case 3: return .test(expression(depth), one(of: SQLTest.allCases))
    case 4: return .isIn(expression(depth), some(1...3) { $0.notQuery(depth) }, isNegated: chance())
    case 5: return .between(expression(depth), expression(depth), expression(depth), isNegated: chance())
    case 6:
      let known = one(of: quantifiable)
      return .quantified(expression(depth), known, one(of: [.any, .all]), notQuery(depth))
    case 7: return .exists(query(depth, columns: number(1...2)))
    case 8: return .isInQuery(expression(depth), query(depth, columns: 1))
    default:
      return .quantifiedQuery(
        expression(depth), one(of: quantifiable), one(of: [.any, .all]), query(depth, columns: 1))
    }
  }

  /// The parts of `and` or `or`. The first is of another kind, as the parser joins it with the others otherwise.
  private mutating func parts(_ depth: Int, unless isSame: (SQLExpression.Kind) -> Bool) -> [SQLExpression] {
    var parts = some(2...3) { $0.expression(depth) }
    if isSame(parts[0].kind) { parts[0] = SQLExpression(.column(column())) }
    return parts
  }

  /// An expression that is no query: `any ((select …))` and `in ((select …))` read the query's rows.
  private mutating func notQuery(_ depth: Int) -> SQLExpression {
    let drawn = expression(depth)
    if case .query = drawn.kind { return SQLExpression(.column(column())) }
    return drawn
  }
}
