import ZoneKitDeviceHost
import ZoneKitRecords

/// Random commands of the diet log.
extension DietSimulation {
  /// Few logs with many edits of their items. `@N` stands for the Nth document or item. One command in six has
  /// unusual arguments.
  @Sendable static func randomLine(_ draw: () -> UInt64) -> String {
    if draw() % 6 == 0 { return unusualLine(draw) }
    let (log, item, number) = (draw() % 3 + 1, draw() % 6 + 1, draw() % 1_000)
    switch draw() % 34 {
    case 0, 32, 33: return "log \(["breakfast", "lunch", "dinner", "snack"][Int(draw() % 4)]) on 2026-11-2\(draw() % 3)"
    case 1...8: return "add @\(log) F\(draw() % 20) \(number + 1) g kcal \(number)"
    case 9: return "add last F\(draw() % 20) 0.\(number % 9 + 1) cup protein \(number).\(number % 10)"
    case 10...13: return "change @\(log) @\(item) kcal \(number)"
    case 14, 15: return "change @\(log) @\(item) name N\(number)"
    case 16, 17: return "drop @\(log) @\(item)"
    case 18: return "restore foodLogs.@\(log) @\(item)"
    case 19: return "again F\(draw() % 20) to @\(log)"
    case 20, 21: return "edit foodLogs.@\(log) notes N\(number)"
    case 22: return "edit foodLogs.@\(log) mealName M\(number)"
    case 23: return "delete foodLogs.@\(log)"
    case 24: return "restore foodLogs.@\(log)"
    case 25: return "weigh \(number % 100 + 40).\(number % 10) fat \(number % 40)"
    case 26: return "goal kcal \(number + 1_000)"
    case 27: return "goal weight \(number % 60 + 50)"
    case 28: return "family F\(number % 10)"
    case 29: return "member @\(log) M\(number) \(["owner", "adult", "child"][Int(draw() % 3)])"
    case 30: return "delete families.@\(log)"
    default: return "delete @\(draw() % 40 + 1)"
    }
  }

  private static let amounts = ["kcal", "protein", "carbs", "fat", "fiber", "sugar", "sodium"]
  private static let units = ["g", "ml", "piece", "serving", "cup", "tbsp", "tsp", "slice"]

  /// Commands with arguments at their limits, and with the values that are there already.
  private static func unusualLine(_ draw: () -> UInt64) -> String {
    let (log, item) = (draw() % 3 + 1, draw() % 6 + 1)
    let amount = amounts[Int(draw() % UInt64(amounts.count))]
    switch draw() % 24 {
    case 0:
      return
        "log lunch as \(UnusualWords.name(upTo: 100, draw)) on \(UnusualWords.day(draw)) at \(UnusualWords.time(draw)) by \(method(draw))"
    case 1: return "log snack by \(method(draw))"
    case 2, 3: return "add @\(log) \(UnusualWords.name(upTo: 200, draw)) 0.001 \(units[Int(draw() % 8)]) \(amount) 0"
    case 4: return "add last \"Bread\" 100000 g kcal 100000000 protein 100000 sodium 100000000"
    case 5, 6: return "change @\(log) @\(item) \(amount) \(["none", "0", "100"][Int(draw() % 3)])"
    case 7: return "change @\(log) @\(item) name \(UnusualWords.name(upTo: 200, draw))"
    case 8: return "change @\(log) @\(item) brand \(draw() % 3 == 0 ? "none" : UnusualWords.name(upTo: 100, draw))"
    case 9: return "change @\(log) @\(item) amount \(["0.001", "100000", "1"][Int(draw() % 3)])"
    case 10: return "change @\(log) @\(item) unit \(units[Int(draw() % 8)])"
    case 11: return "again \"Bread\" to @\(log)"
    case 12: return "edit foodLogs.@\(log) notes \(draw() % 3 == 0 ? "none" : UnusualWords.name(upTo: 2_000, draw))"
    case 13: return "edit foodLogs.@\(log) mealName \(draw() % 3 == 0 ? "none" : UnusualWords.name(upTo: 100, draw))"
    case 14: return "edit foodLogs.@\(log) meal \(["breakfast", "dinner"][Int(draw() % 2)])"
    case 15: return "edit foodLogs.@\(log) time \(UnusualWords.time(draw))"
    case 16:
      return
        "weigh \(["1", "700", "70.5"][Int(draw() % 3)]) fat \(["0", "100"][Int(draw() % 2)]) on \(UnusualWords.day(draw))"
    case 17: return "edit weightLogs.@\(log) \(["fat none", "fat 0", "weight 70.5", "notes \"\""][Int(draw() % 4)])"
    case 18: return "goal \(amount) \(["none", "0", "100"][Int(draw() % 3)])"
    case 19: return "goal \(["weight none", "weight 70.5", "start none", "start 2026-11-21"][Int(draw() % 4)])"
    case 20: return "family \(UnusualWords.name(upTo: 100, draw))"
    case 21: return "edit families.@\(log) name \(UnusualWords.name(upTo: 100, draw))"
    case 22: return "edit familyMembers.@\(log) role \(["owner", "adult", "child"][Int(draw() % 3)])"
    default:
      return ["delete", "restore"][Int(draw() % 2)]
        + " \(["families", "weightLogs", "userGoals", "recentFoods"][Int(draw() % 4)]).@\(log)"
    }
  }

  private static func method(_ draw: () -> UInt64) -> String {
    ["search", "barcode", "photo", "manual", "voice", "copy"][Int(draw() % 6)]
  }
}
