import ZoneKitRelations
import ZoneKitSchema

/// The types that PostgreSQL's operators take on both sides.
enum OperatorTable {
  /// The pairs of types that an operator takes.
  static func pairs(of known: SQLOperator) -> [[SlotType]] {
    switch known {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isDistinctFrom, .isNotDistinctFrom:
      comparable
    case .plus: sums
    case .minus: differences
    case .times: numbers + [[.interval, .value(.doublePrecision)], [.value(.doublePrecision), .interval]]
    case .divided: numbers + [[.interval, .value(.doublePrecision)]]
    case .modulo: same([.smallint, .integer, .bigint, .numeric(nil)])
    case .joined: joins
    case .like, .notLike, .anyCaseLike, .notAnyCaseLike:
      [[.value(.text), .value(.text)], [.value(.char(0)), .value(.text)]]
        + (known == .like || known == .notLike ? same([.bytea]) : [])
    case .matches, .anyCaseMatches, .notMatches, .notAnyCaseMatches:
      [[.value(.text), .value(.text)], [.value(.char(0)), .value(.text)]]
    case .member, .memberText: members
    case .contains, .isContainedBy: [[.anyArray, .anyArray]] + same([.jsonb])
    case .overlaps: [[.anyArray, .anyArray]]
    case .hasKey: [[.value(.jsonb), .value(.text)]]
    case .hasAnyKey, .hasAllKeys: [[.value(.jsonb), .value(.array(.text))]]
    }
  }

  private static let integers = pairs([.smallint, .integer, .bigint])
  private static let floats = pairs([.real, .doublePrecision])
  private static let numbers = integers + floats + same([.numeric(nil)])
  private static let days: [DatumType] = [.date, .timestamp(nil), .timestamptz(nil)]

  private static let comparable: [[SlotType]] =
    numbers + pairs(days) + same([.boolean, .text, .char(0), .bytea, .time(nil), .uuid, .jsonb])
    + [[.interval, .interval], [.zonedTime, .zonedTime], [.anyArray, .anyArray], [.anyEnum, .anyEnum]]

  private static let spans: [[SlotType]] = [
    [.value(.date), .interval], [.value(.timestamp(nil)), .interval], [.value(.timestamptz(nil)), .interval],
    [.value(.time(nil)), .interval], [.zonedTime, .interval],
  ]

  private static let mixed: [[SlotType]] = [
    [.value(.date), .value(.integer)], [.value(.date), .value(.time(nil))], [.value(.date), .zonedTime],
  ]

  private static let sums: [[SlotType]] =
    numbers + spans + spans.map { $0.reversed() } + mixed + mixed.map { $0.reversed() } + [[.interval, .interval]]

  private static let differences: [[SlotType]] =
    numbers + spans + same([.date, .time(nil), .timestamp(nil), .timestamptz(nil)])
    + [
      [.value(.date), .value(.integer)], [.interval, .interval], [.value(.jsonb), .value(.text)],
      [.value(.jsonb), .value(.integer)], [.value(.jsonb), .value(.array(.text))],
    ]

  private static let joins: [[SlotType]] =
    same([.text, .bytea, .jsonb])
    + [
      [.value(.text), .anyNonArray], [.anyNonArray, .value(.text)], [.anyCompatibleArray, .anyCompatibleArray],
      [.anyCompatibleArray, .anyCompatible], [.anyCompatible, .anyCompatibleArray],
    ]

  private static let members: [[SlotType]] = [DatumType.json, .jsonb].flatMap { json in
    [DatumType.text, .integer].map { [.value(json), .value($0)] }
  }

  private static func same(_ types: [DatumType]) -> [[SlotType]] { types.map { [.value($0), .value($0)] } }

  private static func pairs(_ types: [DatumType]) -> [[SlotType]] {
    types.flatMap { first in types.map { [.value(first), .value($0)] } }
  }
}
