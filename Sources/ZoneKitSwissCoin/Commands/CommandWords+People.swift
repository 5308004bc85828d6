import ZoneKitDeviceHost
import ZoneKitRecords

/// Persons, groups, and single rows.
extension CommandWords {
  /// Parses the words after `person`.
  mutating func person() throws(AppRefusal) -> CoinCommand {
    switch try next("`add \"Ben\"`, `archive P` or `unarchive P`") {
    case "add":
      let name = try next("a name, in double quotes where it has blanks")
      var phone: String?
      var color: String?
      while upcoming != nil {
        if take("phone") {
          phone = try next("a phone number")
        } else if take("color") {
          color = try Self.color(try next("a color such as #3366CC"))
        } else {
          throw unexpected("phone NUMBER, color #AABBCC")
        }
      }
      return .addPerson(name: name, phone: phone, color: color)
    case "archive": return .archive(try nextWord("a person"), true)
    case "unarchive": return .archive(try nextWord("a person"), false)
    case let word: throw AppRefusal("unexpected \"\(word)\"; after person comes add, archive or unarchive")
    }
  }

  /// Parses the words after `me`.
  mutating func me() throws(AppRefusal) -> CoinCommand {
    guard take("name") else { throw unexpected("`name \"Mara\"`") }
    return .nameMe(try next("your name, in double quotes where it has blanks"))
  }

  /// Parses the words after `group`.
  mutating func group() throws(AppRefusal) -> CoinCommand {
    switch try next("`add \"Flat\"`, `join G P` or `leave G P`") {
    case "add":
      let name = try next("a name, in double quotes where it has blanks")
      let members = take("with") ? try people("with") : []
      return .addGroup(name: name, with: members, id: take("id") ? try id() : nil)
    case "join": return .join(try nextWord("a group"), try nextWord("a person"))
    case "leave": return .leave(try nextWord("a group"), try nextWord("a person"))
    case let word: throw AppRefusal("unexpected \"\(word)\"; after group comes add, join or leave")
    }
  }

  /// Parses the words after `edit`.
  mutating func edit() throws(AppRefusal) -> CoinCommand {
    let id = try nextWord("the id of a row")
    let field = try next("a field; `show ID` lists them")
    return .edit(id, field: field, value: try nextWord("a value for \(field), or none"))
  }

  /// Parses the words after `list`.
  mutating func list() throws(AppRefusal) -> CoinCommand {
    let word = optionalWord()
    guard let word else { return .list("financial_transactions", nil) }
    if Int(word.text) != nil { return .list("financial_transactions", try Self.limit(word.text)) }
    guard let table = TableWord.table(word.text) else {
      throw AppRefusal("there is no table \"\(word.text)\"; there are \(TableWord.all.joined(separator: ", "))")
    }
    return .list(table.name, try next().map { (text) throws(AppRefusal) in try Self.limit(text) })
  }

  /// An ID that the user chooses.
  private mutating func id() throws(AppRefusal) -> UUID {
    let text = try next("a UUID")
    guard let id = UUID(text) else { throw AppRefusal("\"\(text)\" is not an id; expected a UUID") }
    return id
  }

  /// The next word; nil at the end.
  mutating func optionalWord() -> Word? {
    guard let word = upcoming else { return nil }
    _ = next()
    return word
  }

  /// The persons of a list after a keyword.
  mutating func people(_ keyword: String) throws(AppRefusal) -> [Word] {
    try nextList("persons after \(keyword), with commas between them").map { (item) throws(AppRefusal) in
      guard item.count == 1, !item[0].text.isEmpty else {
        throw AppRefusal("expected persons after \(keyword), with commas between them and no blanks around")
      }
      return item[0]
    }
  }

  /// The refusal of the next word.
  func unexpected(_ expected: String) -> AppRefusal {
    guard let word = upcoming else { return AppRefusal("the command ends too early; expected \(expected)") }
    return AppRefusal("unexpected \"\(word.text)\"; expected one of \(expected)")
  }

  private static func color(_ text: String) throws(AppRefusal) -> String {
    let digits = text.utf8.dropFirst()
    guard text.hasPrefix("#"), digits.count == 6, digits.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
      throw AppRefusal("\"\(text)\" is not a color; expected # and six hexadecimal digits, such as #3366CC")
    }
    return text
  }

  private static func limit(_ text: String) throws(AppRefusal) -> Int {
    guard let limit = Int(text), limit > 0 else {
      throw AppRefusal("\"\(text)\" is not how many rows to list; expected a whole number from 1")
    }
    return limit
  }
}
