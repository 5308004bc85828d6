/// The names that PostgreSQL gives constraints and indexes without a name of their own (PostgreSQL: src/backend/commands/
/// indexcmds.c, ChooseRelationName and makeObjectName).
enum ConstraintName {
  /// The most bytes of a name.
  static let limit = 63

  /// The name of the parts: `table_columns_label`, with a number behind it unless that is 0.
  static func made(_ table: String, _ columns: [String], _ label: String, number: Int) -> String {
    made(table, joined(columns), number == 0 ? label : "\(label)\(number)")
  }

  /// The names of columns with underscores between them. Columns beyond the limit of a name are left out.
  private static func joined(_ columns: [String]) -> String? {
    var bytes: [UInt8] = []
    for column in columns {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "_")) }
      bytes += column.utf8
      if bytes.count >= limit { break }
    }
    return columns.isEmpty ? nil : cut(bytes, to: limit)
  }

  /// The parts with underscores between them. The longer one of the first two is cut until the whole fits.
  private static func made(_ first: String, _ second: String?, _ label: String) -> String {
    let overhead = label.utf8.count + 1 + (second == nil ? 0 : 1)
    var (one, two) = (first.utf8.count, second?.utf8.count ?? 0)
    while one + two + overhead > limit {
      if one > two { one -= 1 } else { two -= 1 }
    }
    let parts = [cut(Array(first.utf8), to: one)] + (second.map { [cut(Array($0.utf8), to: two)] } ?? [])
    return (parts + [label]).joined(separator: "_")
  }

  /// The first characters, of which no more than that many bytes are taken.
  private static func cut(_ bytes: [UInt8], to count: Int) -> String {
    var end = min(count, bytes.count)
    while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
