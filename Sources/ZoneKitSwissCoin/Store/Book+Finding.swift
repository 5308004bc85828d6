import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// Which rows a user's words stand for.
extension Book {
  /// The only row of those tables that a word stands for: `me`, a name in quotes, the beginning of an ID, the name of a
  /// record, or `@N` for the Nth row. A word without quotes that begins no ID is read as a name. Names stand for rows
  /// that are not deleted, if there are any.
  func find(_ word: CommandWords.Word, in tables: [Name], me: UUID?) throws(AppRefusal) -> CoinRow {
    if !word.isQuoted {
      if word.text == "me", tables.contains("persons"), let me, let row = row("persons", RowKey([me])) { return row }
      if word.text.hasPrefix("@") || word.text.contains("/@") { return try numbered(word.text, tables) }
      if let row = try begun(word.text, tables) { return row }
    }
    return try named(word, tables)
  }

  /// The row whose ID begins with a text; nil if there is none.
  private func begun(_ text: String, _ tables: [Name]) throws(AppRefusal) -> CoinRow? {
    var tables = tables
    var prefix = text.lowercased()
    if let end = prefix.firstIndex(of: "/") {
      tables = tables.filter { $0.text == prefix[..<end] }
      prefix = String(prefix[prefix.index(after: end)...])
    }
    guard !prefix.isEmpty else { return nil }
    // A pair begins with the ID of its owner row, which is meant unless the whole of it is there.
    let hasPoint = prefix.contains(".")
    let found = tables.flatMap { name in
      SwissCoin.table(name).key.count == (hasPoint ? 2 : 1)
        ? rows(in: name).filter { $0.key.text.hasPrefix(prefix) } : []
    }
    // Profile and self person have one ID; the person is meant.
    let meant = found.count == 2 && found[0].key == found[1].key ? found.filter { $0.table.name != "profiles" } : found
    guard meant.count > 1 else { return meant.first }
    throw Self.ambiguous("\"\(text)\" begins \(meant.count) IDs", meant, "say more of the one you mean")
  }

  private func named(_ word: CommandWords.Word, _ tables: [Name]) throws(AppRefusal) -> CoinRow {
    let all = tables.flatMap { name in
      SwissCoin.table(name).columns.contains { ["name", "title"].contains($0.name) }
        ? rows(in: name).filter { $0.name == word.text } : []
    }
    let listed = all.filter(\.isListed)
    let living = all.filter(\.isLiving)
    let found = !listed.isEmpty ? listed : !living.isEmpty ? living : all
    guard let first = found.first else { throw nothing(word, tables) }
    guard found.count == 1 else {
      let nouns = Set(found.map(\.table.noun))
      let count = nouns.count == 1 ? found.count.counted(first.table.noun) : found.count.counted("row")
      throw Self.ambiguous("\"\(word.text)\" is \(count)", found, "say the id")
    }
    return first
  }

  private func nothing(_ word: CommandWords.Word, _ tables: [Name]) -> AppRefusal {
    let noun = tables.count == 1 ? SwissCoin.table(tables[0]).noun : "row"
    let isHex =
      !word.isQuoted && word.text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil || $0 == UInt8(ascii: "-") }
    if word.text == "me", !word.isQuoted { return AppRefusal("there is no person for you yet; any new entry makes it") }
    return AppRefusal(isHex ? "no \(noun) begins with \(word.text)" : "no \(noun) has the name \"\(word.text)\"")
  }

  /// The row for `@1`, `persons/@2` and so on: the rows in the order of tables and keys, counted cyclically. So commands
  /// can be written before the IDs are known. Of one table that a command asks for, only listed rows count.
  private func numbered(_ word: String, _ tables: [Name]) throws(AppRefusal) -> CoinRow {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else {
      throw AppRefusal("\(word): expected @1, @2 ... for a row that is there")
    }
    let meant = parts[0].isEmpty ? tables : tables.filter { "\($0)/" == parts[0] }
    let rows = meant.flatMap { tables.count == 1 ? listed(in: $0) : self.rows(in: $0) }
    guard !rows.isEmpty else { throw AppRefusal("there is no row yet") }
    return rows[(number - 1) % rows.count]
  }

  private static func ambiguous(_ start: String, _ rows: [CoinRow], _ tip: String) -> AppRefusal {
    let first = rows.prefix(5).map { "\($0.shortID)…" }.joined(separator: ", ")
    let more = rows.count > 5 ? " and \(rows.count - 5) more" : ""
    return AppRefusal("\(start): \(first)\(more); \(tip)")
  }
}
