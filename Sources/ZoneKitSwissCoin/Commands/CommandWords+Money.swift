import ZoneKitDeviceHost
import ZoneKitRecords

/// Expenses, settlements, reminders and messages.
extension CommandWords {
  /// Parses the words after `spend`.
  mutating func expense() throws(AppRefusal) -> NewExpense {
    let amount = try MoneyWord.cents(try next("an amount, such as 84.50"), isZeroAllowed: true)
    let currency = try currency()
    let title = try next("a title, in double quotes where it has blanks")
    var expense = NewExpense(amount, title: title)
    expense.currency = currency
    var seen: [String] = []
    while let word = upcoming {
      guard !seen.contains(word.text) else { throw AppRefusal("\"\(word.text)\" comes twice; say it once") }
      seen.append(word.text)
      try option(of: &expense)
    }
    return expense
  }

  private mutating func option(of expense: inout NewExpense) throws(AppRefusal) {
    if take("by") {
      expense.payers = try payers()
    } else if take("for") {
      expense.sharers = take("all") ? .everybody : .persons(try people("for"))
    } else if take("split") {
      expense.division = try division()
    } else if take("in") {
      expense.group = try nextWord("a group")
    } else if take("at") {
      expense.at = try time()
    } else if take("note") {
      expense.note = try next("a note, in double quotes")
    } else {
      throw unexpected("by, for, split, in, at, note")
    }
  }

  private mutating func payers() throws(AppRefusal) -> [NewExpense.Payer] {
    try nextList("who paid, such as me or P:AMOUNT,P:AMOUNT").map { (item) throws(AppRefusal) in
      guard item.count <= 2, !item[0].text.isEmpty else {
        throw AppRefusal("expected who paid, such as me or P:AMOUNT,P:AMOUNT without blanks")
      }
      return NewExpense.Payer(item[0], amount: item.count == 2 ? try MoneyWord.cents(item[1].text) : nil)
    }
  }

  private mutating func division() throws(AppRefusal) -> NewExpense.Division {
    let forms = "equal, exact:A,A, percent:N,N, shares:N,N"
    let items = try nextList("one of \(forms)")
    let method = items[0][0].text
    if method == "equal", items.count == 1, items[0].count == 1 { return .equal }
    guard items[0].count == 2, items.dropFirst().allSatisfy({ $0.count == 1 }) else {
      throw AppRefusal("unexpected split \"\(method)\"; expected one of \(forms)")
    }
    let numbers = [items[0][1].text] + items.dropFirst().map { $0[0].text }
    switch method {
    case "exact":
      return .exact(try numbers.map { (text) throws(AppRefusal) in try MoneyWord.cents(text, isZeroAllowed: true) })
    case "percent": return .percent(try numbers.map { (text) throws(AppRefusal) in try Self.number(text) })
    case "shares": return .shares(try numbers.map { (text) throws(AppRefusal) in try Self.number(text) })
    default: throw AppRefusal("unexpected split \"\(method)\"; expected one of \(forms)")
    }
  }

  /// Parses the words after `settle`.
  mutating func settlement() throws(AppRefusal) -> NewSettlement {
    let amount = try MoneyWord.cents(try next("an amount, such as 20"))
    let currency = try currency()
    let (from, to) = try ends()
    var settlement = NewSettlement(amount: amount, currency: currency, from: from, to: to)
    while upcoming != nil {
      if take("full") {
        settlement.isFull = true
      } else if take("at") {
        settlement.at = try time()
      } else if take("note") {
        settlement.note = try next("a note, in double quotes")
      } else {
        throw unexpected("full, at, note")
      }
    }
    return settlement
  }

  /// Parses the words after `remind`.
  mutating func reminder() throws(AppRefusal) -> CoinCommand {
    let person = try nextWord("a person")
    let amount = try optionalAmount()
    return .remind(person, amount, next())
  }

  /// Parses the words after `say`.
  mutating func message() throws(AppRefusal) -> CoinCommand {
    let target = try nextWord("a person, a group or a subscription")
    let text = try next("a text, in double quotes where it has blanks")
    guard upcoming != nil else { return .say(target, text, on: nil) }
    guard take("on") else { throw unexpected("on T") }
    return .say(target, text, on: try nextWord("an expense"))
  }

  // MARK: Parts

  /// `from P to P`.
  mutating func ends() throws(AppRefusal) -> (from: Word, to: Word) {
    guard take("from") else { throw unexpected("from P to P") }
    let from = try nextWord("who pays")
    guard take("to") else { throw unexpected("to P") }
    return (from, try nextWord("who is paid"))
  }

  /// A currency, if the next word looks like one.
  private mutating func currency() throws(AppRefusal) -> String {
    guard let word = upcoming, !word.isQuoted, word.text != "from" else { return "CHF" }
    if RowRules.isCurrency(word.text) {
      _ = next()
      return word.text
    }
    // Before a title in quotes only a currency can stand.
    var rest = self
    _ = rest.next()
    guard rest.upcoming?.isQuoted == true || rest.upcoming == Word("from") else { return "CHF" }
    throw AppRefusal("\"\(word.text)\" is not a currency; expected three capital letters, such as CHF")
  }

  /// An amount, if the next word without quotes begins with a digit or a sign.
  mutating func optionalAmount() throws(AppRefusal) -> Cents? {
    guard let word = upcoming, !word.isQuoted, let first = word.text.first, first.isNumber || "+-.".contains(first)
    else { return nil }
    _ = next()
    return try MoneyWord.cents(word.text)
  }

  /// A time.
  mutating func time() throws(AppRefusal) -> TimeWord {
    try TimeWord(parsing: try next("a time: \(TimeWord.forms)"))
  }

  private static func number(_ text: String) throws(AppRefusal) -> Double {
    guard let number = Double(text), (0...1_000_000).contains(number) else {
      throw AppRefusal("\"\(text)\" is not a part; expected a number from 0 to 1000000")
    }
    return number
  }
}
