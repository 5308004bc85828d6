import ZoneKitDeviceHost
import ZoneKitRecords

/// A command of the app. Documents and items are words that stand for them (`Diary.find`).
package enum DietCommand: Hashable, Sendable {
  /// `log MEAL [as "NAME"] [on DATE] [at TIME] [by METHOD]`.
  case log(meal: String, LogOptions)
  /// `weigh KG [fat PERCENT] [on DATE] [at TIME]`.
  case weigh(Word, LogOptions)
  /// `goal FIELD VALUE|none`.
  case goal(field: String, value: Word)
  /// `add ID|last "FOOD" AMOUNT UNIT [kcal N] …`.
  case add(to: String, NewFood)
  /// `again "FOOD" [to ID|last]`.
  case again(food: Word, to: String)
  /// `change ID ITEM FIELD VALUE`.
  case change(String, Word, field: String, value: Word)
  /// `drop ID ITEM`.
  case drop(String, Word)
  /// `restore ID [ITEM]`.
  case restore(String, Word?)
  /// `family "NAME"`.
  case family(String)
  /// `member FAMILY "NAME" ROLE`.
  case member(of: String, name: String, role: String)
  /// `edit ID FIELD VALUE`.
  case edit(String, field: String, value: Word)
  /// `delete ID`.
  case delete(String)
  /// `list [COLLECTION] [N]`.
  case list(Name, Int?)
  /// `day [DATE]`.
  case day(String?)
  /// `recent [N]`.
  case recent(Int?)
  /// `show ID`.
  case show(String)
  /// `conflicts [N]`.
  case conflicts(Int?)

  /// A word of a command.
  package typealias Word = CommandWords.Word

  /// What may follow a new log or weight.
  package struct LogOptions: Hashable, Sendable {
    /// The name of the meal.
    var name: String?
    /// The day.
    var day: String?
    /// The time.
    var time: TimeWord?
    /// How it was entered.
    var method: String?
    /// The body fat in percent.
    var fat: Word?
  }

  /// A food that is eaten.
  package struct NewFood: Hashable, Sendable {
    /// The name.
    var name: String
    /// How much of it.
    var amount: Word
    /// The unit of the amount.
    var unit: String
    /// Energy and nutrients by their words.
    var amounts: [Amount] = []

    /// One of energy and nutrients.
    struct Amount: Hashable, Sendable {
      var word: String
      var value: Word
    }
  }

  /// The first words of all commands.
  package static let verbs = [
    "log", "weigh", "goal", "add", "again", "change", "drop", "restore", "family", "member", "edit", "delete", "list",
    "day", "recent", "show", "conflicts",
  ]

  /// The help for all commands.
  static let help = [
    "log breakfast|lunch|dinner|snack [as \"NAME\"] [on DATE] [at TIME] [by METHOD]",
    "weigh KG [fat PERCENT] [on DATE] [at TIME]        goal FIELD VALUE|none",
    "add ID|last \"FOOD\" AMOUNT UNIT [kcal N] [protein|carbs|fat|fiber|sugar G] [sodium MG]",
    "again \"FOOD\" [to ID|last]     change ID ITEM FIELD VALUE     drop ID ITEM     restore ID [ITEM]",
    "family \"NAME\"                 member FAMILY \"NAME\" owner|adult|child",
    "edit ID FIELD VALUE           delete ID                     show ID        conflicts [N]",
    "list [logs|weights|goals|families|members] [N]              day [DATE]     recent [N]",
    "ID, ITEM, FAMILY: the beginning of an id; last: the log that was edited last on this device",
  ]

  /// Parses a line. Throws an error with the right form if it is not a command.
  package init(parsing line: String) throws(AppRefusal) {
    var words = try CommandWords(line)
    let verb = try words.next("one of \(Self.verbs.joined(separator: ", "))")
    self = try words.dietCommand(verb)
    try words.end()
  }

  /// The collections that the command reads.
  var collections: [Name] {
    switch self {
    case .log, .weigh, .conflicts: []
    case .goal: ["userGoals"]
    case .add, .again: ["foodLogs", "recentFoods"]
    case .change, .drop: ["foodLogs"]
    case .day: ["foodLogs", "weightLogs"]
    case .family: ["families"]
    case .member: ["families", "familyMembers"]
    case .recent: ["recentFoods"]
    case .list(let collection, _): collection == "familyMembers" ? [collection, "families"] : [collection]
    case .restore, .edit, .delete, .show: DietLog.written.map(\.name)
    }
  }
}
