import ZoneKitDeviceHost
import ZoneKitRecords

/// A command of the app. Persons, groups and other rows are words that stand for them (`Book.find`).
package enum CoinCommand: Hashable, Sendable {
  /// `person add "Ben" [phone +41…] [color #AABBCC]`.
  case addPerson(name: String, phone: String?, color: String?)
  /// `person archive P` and `person unarchive P`.
  case archive(Word, Bool)
  /// `me name "Mara"`: changes profile and self person.
  case nameMe(String)
  /// `group add "Flat" [with P,P] [id UUID]`.
  case addGroup(name: String, with: [Word], id: UUID?)
  /// `group join G P`.
  case join(Word, Word)
  /// `group leave G P`.
  case leave(Word, Word)
  /// `spend …`.
  case spend(NewExpense)
  /// `settle …`.
  case settle(NewSettlement)
  /// `remind P [AMOUNT] ["text"]`.
  case remind(Word, Cents?, String?)
  /// `say P|G|S "text" [on T]`.
  case say(Word, String, on: Word?)
  /// `subscribe …`.
  case subscribe(NewSubscription)
  /// `pay S AMOUNT by P [at TIME]`.
  case pay(Word, Cents, by: Word, at: TimeWord?)
  /// `subsettle S AMOUNT from P to P`.
  case settleSubscription(Word, Cents, from: Word, to: Word)
  /// `subremind S P [AMOUNT]`.
  case remindOfSubscription(Word, Word, Cents?)
  /// `edit ID FIELD VALUE`: changes a field. The value `none` without quotes removes it.
  case edit(Word, field: String, value: Word)
  /// `delete ID`.
  case delete(Word)
  /// `restore ID`.
  case restore(Word)
  /// `list [TABLE] [N]`.
  case list(Name, Int?)
  /// `show ID`.
  case show(Word)
  /// `balance [P]`.
  case balance(Word?)

  /// A word that stands for a row.
  package typealias Word = CommandWords.Word

  /// The first words of all commands.
  package static let verbs = [
    "person", "me", "group", "spend", "settle", "remind", "say", "subscribe", "pay", "subsettle", "subremind", "edit",
    "delete", "restore", "list", "show", "balance",
  ]

  /// The help for all commands.
  static let help = [
    "person add \"Ben\" [phone +41...] [color #AABBCC]     person archive|unarchive P",
    "me name \"Mara\"",
    "group add \"Flat\" [with P,P] [id UUID]               group join|leave G P",
    "spend 84.50 [CHF] \"Dinner\" [by P[:AMOUNT],...] [for P,...|all]",
    "      [split equal|exact:A,A|percent:N,N|shares:N,N] [in G] [at TIME] [note \"...\"]",
    "settle 20 [CHF] from P to P [full] [at TIME] [note \"...\"]",
    "remind P [AMOUNT] [\"text\"]     say P|G|S \"text\" [on T]",
    "subscribe \"Music\" 19.90 [weekly|monthly|yearly|every N days] [with P,...] [from TIME]",
    "pay S AMOUNT by P [at TIME]    subsettle S AMOUNT from P to P    subremind S P [AMOUNT]",
    "edit ID FIELD VALUE           delete ID                     restore ID",
    "list [TABLE] [N]              show ID                       balance [P]",
    "P, G, S, T, ID: me, the beginning of an id, or a name in quotes",
  ]

  /// Parses a line. Throws an error with the right form if it is not a command.
  package init(parsing line: String) throws(AppRefusal) {
    var words = try CommandWords(line)
    let verb = try words.next("one of \(Self.verbs.joined(separator: ", "))")
    self = try Self.command(verb, &words)
    try words.end()
  }

  private static func command(_ verb: String, _ words: inout CommandWords) throws(AppRefusal) -> CoinCommand {
    switch verb {
    case "person": try words.person()
    case "me": try words.me()
    case "group": try words.group()
    case "spend": .spend(try words.expense())
    case "settle": .settle(try words.settlement())
    case "remind": try words.reminder()
    case "say": try words.message()
    case "subscribe": .subscribe(try words.subscription())
    case "pay": try words.payment()
    case "subsettle": try words.subscriptionSettlement()
    case "subremind": try words.subscriptionReminder()
    case "edit": try words.edit()
    case "delete": .delete(try words.nextWord("the id of a row"))
    case "restore": .restore(try words.nextWord("the id of a deleted row"))
    case "list": try words.list()
    case "show": .show(try words.nextWord("the id of a row"))
    case "balance": .balance(words.optionalWord())
    default:
      throw AppRefusal("unknown command \"\(verb)\"; the app knows \(verbs.joined(separator: ", "))")
    }
  }

  /// The tables that the command reads.
  var tables: [Name] {
    let all = SwissCoin.schema.tables.map(\.name)
    return switch self {
    case .addPerson, .nameMe: []
    case .archive, .settle, .remind: ["persons"]
    case .addGroup: ["persons", "user_groups"]
    case .join, .leave: ["persons", "user_groups", "group_members"]
    case .spend: ["persons", "user_groups", "group_members"]
    case .say: ["persons", "user_groups", "subscriptions", "financial_transactions"]
    case .subscribe: ["persons"]
    case .pay, .settleSubscription, .remindOfSubscription: ["persons", "subscriptions"]
    case .balance: SwissCoin.balanceTables
    case .list(let table, _):
      [table, "persons"] + Self.referred(by: table) + SwissCoin.schema.owned(by: table).map(\.table.name)
    case .edit(let word, _, _), .delete(let word), .restore(let word), .show(let word): Self.tables(of: word) ?? all
    }
  }

  /// The tables for a word that names its table; nil if it does not.
  private static func tables(of word: Word) -> [Name]? {
    guard let end = word.text.firstIndex(of: "/"), !word.isQuoted,
      let table = SwissCoin.schema.table(Name(String(word.text[..<end])))
    else { return nil }
    var tables = [table.name]
    // What its rows own is deleted and restored with them.
    for name in tables { tables += SwissCoin.schema.owned(by: name).map(\.table.name) }
    return tables + tables.flatMap(referred) + ["persons"]
  }

  /// The tables to which rows of a table refer.
  private static func referred(by table: Name) -> [Name] {
    SwissCoin.table(table).columns.compactMap { $0.foreignKey?.table }
  }
}
