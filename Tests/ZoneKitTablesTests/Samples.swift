import ZoneKitRecords
import ZoneKitTables

/// Tables and rows for tests.
enum Samples {
  static let table = Table.owned(
    "things",
    [
      Column("name", .text), Column("amount", .float8, default: .float8(0)), Column("count", .int4),
      Column("is_new", .bool), Column("at", .timestamp), Column("parent_id", .uuid, refersTo: .to("parents")),
      Column("other", .uuid),
    ])
  static let account = UUID(high: 1, low: 2)

  static func id(_ number: UInt64) -> UUID { UUID(high: 0xA000, low: number) }
  static func time(_ milliseconds: Int64) -> RowValue { .timestamp(WallTime(milliseconds: milliseconds)) }

  /// A row with those columns; the others are null.
  static func row(_ values: [Name: RowValue]) -> Row {
    Row(table.columns.map { values[$0.name] ?? .null })
  }

  static let texts = ["", "a", "A", "ä", "a\u{308}", "\"q\\", "{}", "a\nb", "%", "_", "zz", "\u{1F600}"]

  /// A value of that type, from few ones, so that equal ones are frequent; null now and then.
  static func value(_ type: ColumnType, using generator: inout SplitMix64) -> RowValue {
    if Int.random(in: 0..<5, using: &generator) == 0 { return .null }
    let small = Int.random(in: 0..<4, using: &generator)
    return switch type {
    case .uuid: .uuid(id(UInt64(small)))
    case .text: .text(texts[Int.random(in: 0..<texts.count, using: &generator)])
    case .timestamp: time([0, -1, 1_777_878_489_120, 1_777_878_490_000][small])
    case .bool: .bool(small > 1)
    case .float8: .float8([0, 20, -1.5, 1e21][small])
    case .int4: .int4([0, -1, .max, 7][small])
    }
  }

  /// A row of random values.
  static func row(using generator: inout SplitMix64) -> Row {
    var row = Row(table.columns.map { value($0.type, using: &generator) })
    row[.ownerID, table] = .uuid(account)
    return row
  }
}
