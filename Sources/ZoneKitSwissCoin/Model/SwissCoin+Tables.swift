import ZoneKitRecords
import ZoneKitTables

extension SwissCoin {
  /// The zone that holds an account's rows.
  package static let zoneID = ZoneID(zoneName: tables.zone)

  /// The tables from which balances follow.
  static let balanceTables: [Name] = [
    "persons", "financial_transactions", "transaction_splits", "transaction_payers", "settlements",
  ]

  /// The table of the app with that name. The name must be one of the schema's.
  static func table(_ name: Name) -> Table {
    guard let table = schema.table(name) else { preconditionFailure("Swiss Coin has a table \(name)") }
    return table
  }

  /// The table of a record of the app; nil for any other record.
  static func table(of id: RecordID) -> Table? {
    let slash = UInt8(ascii: "/")
    guard id.zoneID.zoneName == zoneID.zoneName, let end = id.recordName.text.utf8.firstIndex(of: slash) else {
      return nil
    }
    return schema.table(Name(String(id.recordName.text[..<end])))
  }

  /// The record of a row.
  static func recordID(_ table: Name, _ key: RowKey) -> RecordID {
    RecordID(recordName: key.recordName(in: table), zoneID: zoneID)
  }

  /// The earliest edit stamp: that of rows that the app makes by itself, so that every edit of a user beats it.
  static let oldestStamp = WallTime(milliseconds: 0)
}

extension Table {
  /// The app's word for a row of the table.
  var noun: String { TableWord(self).noun }
}

/// What users call a table and its rows.
struct TableWord {
  /// The word for one row.
  let noun: String
  /// The word for the table in `list`.
  let plural: String

  /// The words for a table of the app.
  init(_ table: Table) {
    (noun, plural) = Self.words[table.name] ?? (table.name.text, table.name.text)
  }

  /// The table that a word means: its name or its plural.
  static func table(_ word: String) -> Table? {
    SwissCoin.schema.tables.first { $0.name.text == word || TableWord($0).plural == word }
  }

  /// All words for tables.
  static var all: [String] { SwissCoin.schema.tables.map { TableWord($0).plural } }

  private static let words: [Name: (String, String)] = [
    "profiles": ("profile", "profiles"), "persons": ("person", "persons"), "user_groups": ("group", "groups"),
    "group_members": ("membership", "members"), "subscriptions": ("subscription", "subscriptions"),
    "subscription_subscribers": ("subscriber", "subscribers"), "financial_transactions": ("expense", "expenses"),
    "transaction_splits": ("split", "splits"), "transaction_payers": ("payer", "payers"),
    "settlements": ("settlement", "settlements"), "reminders": ("reminder", "reminders"),
    "chat_messages": ("message", "messages"), "subscription_payments": ("payment", "payments"),
    "subscription_settlements": ("subscription settlement", "subsettlements"),
    "subscription_reminders": ("subscription reminder", "subreminders"),
  ]
}
