import ZoneKitRecords
import ZoneKitTables

/// The rules for a single row that the app keeps and the server does not: the app is strict where other clients may write
/// what they like.
enum RowRules {
  /// The most characters of a text.
  static let textLimit = 10_000
  /// The words for how often a subscription is paid.
  static let cycles = ["weekly", "monthly", "yearly", "custom"]

  /// Why the app cannot show a row; nil if it can.
  static func illegibility(of row: CoinRow) -> String? {
    for column in row.table.columns
    where column.isRequired && column.name != .ownerID && row[column.name] == .null {
      return "\(column.name) is missing"
    }
    guard row.table.name == "subscriptions", let cycle = row["cycle"].text, !cycles.contains(cycle) else { return nil }
    return "the cycle \"\(cycle)\" is unknown"
  }

  /// What is wrong with a row that a user writes, as a sentence; nil if nothing is. `me` is the user's person.
  static func flaw(in row: CoinRow, me: UUID?) -> String? {
    if let reason = illegibility(of: row) { return reason }
    for column in row.table.columns {
      if let flaw = flaw(of: row[column.name], in: column) { return flaw }
    }
    let ends = (row["from_person_id"].uuid, row["to_person_id"].uuid)
    if let from = ends.0, from == ends.1 { return "a person cannot settle with the same person; name two" }
    if row.table.name == "reminders" || row.table.name == "subscription_reminders", let to = ends.1, to == me {
      return "you cannot remind yourself; name another person"
    }
    return nil
  }

  private static func flaw(of value: RowValue, in column: Column) -> String? {
    switch (column.name, value) {
    case ("name", .text(let text)), ("display_name", .text(let text)):
      if !text.contains(where: { !$0.isWhitespace }) { return "the name is empty" }
    case ("currency", .text(let text)):
      if !isCurrency(text) { return "\"\(text)\" is not a currency; expected three capital letters, such as CHF" }
    case ("amount", .float8(let amount)):
      if !(0...Cents.largest.amount).contains(amount) {
        return MoneyWord.range(amount.description, isZeroAllowed: true)
      }
    default: break
    }
    guard let text = value.text, text.count > textLimit else { return nil }
    return "\(column.name) has \(text.count) characters; the limit is \(textLimit)"
  }

  /// Whether a text is three capital letters.
  static func isCurrency(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}
