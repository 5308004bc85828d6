import ZoneKitDeviceHost
import ZoneKitRecords

/// The words after the verbs of the diet log.
extension CommandWords {
  /// The command of a verb with the words that follow.
  mutating func dietCommand(_ verb: String) throws(AppRefusal) -> DietCommand {
    switch verb {
    case "log": return .log(meal: try meal(), try options(["as", "on", "at", "by"]))
    case "weigh":
      return .weigh(try nextWord("a weight in kg, such as 72.5"), try options(["fat", "on", "at"]))
    case "goal":
      let field = try next("a field, such as kcal or weight")
      return .goal(field: field, value: try nextWord("a value for \(field), or none"))
    case "add": return .add(to: try log(), try food())
    case "again":
      let food = try nextWord("the name of a food in double quotes; `recent` lists them")
      return .again(food: food, to: take("to") ? try log() : "last")
    case "change":
      let (log, item) = (try log(), try nextWord("an item"))
      let field = try next("a field of the item")
      return .change(log, item, field: field, value: try nextWord("a value for \(field), or none"))
    case "drop": return .drop(try log(), try nextWord("an item"))
    case "restore":
      let id = try next("the id of a document")
      return .restore(id, upcoming == nil ? nil : try nextWord("a removed item"))
    case "family": return .family(try next("a name, in double quotes where it has blanks"))
    case "member":
      let family = try next("the id of a family")
      let name = try next("a name, in double quotes where it has blanks")
      return .member(of: family, name: name, role: try next("owner, adult or child"))
    case "edit":
      let id = try next("the id of a document")
      let field = try next("a field; `show \(id)` lists them")
      return .edit(id, field: field, value: try nextWord("a value for \(field), or none"))
    case "delete": return .delete(try next("the id of a document"))
    case "list": return try list()
    case "day": return .day(next())
    case "recent": return .recent(try limit())
    case "conflicts": return .conflicts(try limit())
    case "show": return .show(try next("the id of a document"))
    default:
      throw AppRefusal("unknown command \"\(verb)\"; the app knows \(DietCommand.verbs.joined(separator: ", "))")
    }
  }

  private mutating func log() throws(AppRefusal) -> String { try next("the id of a log, or last") }

  private mutating func meal() throws(AppRefusal) -> String { try next("breakfast, lunch, dinner or snack") }

  /// The options of a new log or weight, each at most once.
  private mutating func options(_ allowed: [String]) throws(AppRefusal) -> DietCommand.LogOptions {
    var options = DietCommand.LogOptions()
    var seen: [String] = []
    while let word = upcoming {
      guard !word.isQuoted, allowed.contains(word.text) else {
        throw AppRefusal("unexpected \"\(word.text)\"; expected \(allowed.joined(separator: ", "))")
      }
      guard !seen.contains(word.text) else { throw AppRefusal("\"\(word.text)\" comes twice; say it once") }
      seen.append(word.text)
      _ = next()
      switch word.text {
      case "as": options.name = try next("a name, in double quotes where it has blanks")
      case "on": options.day = try next("a day, such as 2026-11-21")
      case "at": options.time = try TimeWord(parsing: try next("a time: \(TimeWord.forms)"))
      case "by": options.method = try next("how it was entered, such as manual")
      default: options.fat = try nextWord("body fat in percent, such as 21.5")
      }
    }
    return options
  }

  /// `"FOOD" AMOUNT UNIT [kcal N] …`.
  private mutating func food() throws(AppRefusal) -> DietCommand.NewFood {
    let name = try next("a food, in double quotes where it has blanks")
    let amount = try nextWord("an amount, such as 60")
    var food = DietCommand.NewFood(name: name, amount: amount, unit: try next(Self.units))
    while let word = upcoming {
      guard !word.isQuoted, FieldWord.amounts.contains(word.text) else {
        throw AppRefusal("unexpected \"\(word.text)\"; expected \(FieldWord.amounts.joined(separator: ", "))")
      }
      guard !food.amounts.contains(where: { $0.word == word.text }) else {
        throw AppRefusal("\"\(word.text)\" comes twice; say it once")
      }
      _ = next()
      food.amounts.append(DietCommand.NewFood.Amount(word: word.text, value: try nextWord("a number for \(word.text)")))
    }
    return food
  }

  private static let units = "a unit: \(DietLog.units.joined(separator: ", "))"

  /// `list [COLLECTION] [N]`.
  private mutating func list() throws(AppRefusal) -> DietCommand {
    guard let word = upcoming, Int(word.text) == nil else { return .list("foodLogs", try limit()) }
    guard let collection = DietLog.collection(listedAs: word.text) else {
      throw AppRefusal("\"\(word.text)\" is no list; there are logs, weights, goals, families, members")
    }
    _ = next()
    return .list(collection, try limit())
  }

  private mutating func limit() throws(AppRefusal) -> Int? {
    guard let text = next() else { return nil }
    guard let limit = Int(text), limit > 0 else {
      throw AppRefusal("\"\(text)\" is no count; expected a whole number above 0")
    }
    return limit
  }
}
