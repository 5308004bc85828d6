import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// Random commands of Swiss Coin.
extension SwissSimulation {
  /// `@N` stands for the Nth row of the table that a command asks for. One command in six has unusual arguments.
  @Sendable static func randomLine(_ draw: () -> UInt64) -> String {
    if draw() % 6 == 0 { return unusualLine(draw) }
    let number = draw() % 9 + 1
    let amount = Cents(Int64(draw() % 20_000) + 1).text
    switch draw() % 32 {
    case 0: return "person add P\(draw() % 100) phone +\(number)"
    case 1: return "person add P\(draw() % 100)"
    case 2: return "person \(["archive", "unarchive"][Int(draw() % 2)]) @\(number)"
    case 3: return "me name M\(draw() % 100)"
    case 4: return "group add G\(draw() % 100) with @\(number)"
    case 5: return "group join @\(number) @\(draw() % 9 + 1)"
    case 6: return "group leave @\(number) @\(draw() % 9 + 1)"
    case 7, 8, 9: return "spend \(amount) \"E\(draw() % 100)\" by me,@\(number) for me,@\(number)"
    case 10: return "spend \(amount) EUR \"E\(draw() % 100)\" for all in @\(number)"
    case 11:
      return "spend \(amount) \"E\(draw() % 100)\" for me,@\(number) split shares:\(number),1 note N\(draw() % 9)"
    case 12: return "spend \(amount) \"E\(draw() % 100)\" for me,@\(number) split percent:\(number),\(100 - number)"
    case 13, 14: return "settle \(amount) from @\(number) to me at -\(number)h"
    case 15: return "remind @\(number) \(amount) \"R\(draw() % 100)\""
    case 16, 17: return "say persons/@\(number) \"S\(draw() % 100)\""
    case 18: return "say user_groups/@\(number) \"S\(draw() % 100)\" on @\(draw() % 9 + 1)"
    case 19: return "subscribe S\(draw() % 100) \(amount) every \(number) days with @\(number)"
    case 20: return "pay @\(number) \(amount) by me"
    case 21: return "subsettle @\(number) \(amount) from @\(draw() % 9 + 1) to me"
    case 22: return "subremind @\(number) @\(draw() % 9 + 1) \(amount)"
    case 23: return "edit persons/@\(number) phone_number +\(draw() % 1_000)"
    case 24: return "edit persons/@\(number) name P\(draw() % 100)"
    case 25: return "edit transaction_splits/@\(number) amount \(amount)"
    case 26: return "edit user_groups/@\(number) color_hex \"#00000\(number)\""
    case 27: return "delete @\(draw() % 60 + 1)"
    case 28: return "restore @\(draw() % 60 + 1)"
    case 29: return "delete financial_transactions/@\(number)"
    default: return "edit financial_transactions/@\(number) note N\(draw() % 100)"
    }
  }

  /// Commands that change rows in live tables, and those that such rows own.
  @Sendable static func announcedLine(_ draw: () -> UInt64) -> String {
    let number = draw() % 9 + 1
    let amount = Cents(Int64(draw() % 20_000) + 1).text
    switch draw() % 9 {
    case 0: return "spend \(amount) \"E\(draw() % 100)\" for me"
    case 1, 2: return "spend \(amount) \"E\(draw() % 100)\" by me,@\(number) for me,@\(number)"
    case 3: return "settle \(amount) from @\(number) to me"
    case 4: return "remind @\(number) \(amount)"
    case 5: return "say persons/@\(number) \"S\(draw() % 100)\""
    case 6: return "subscribe S\(draw() % 100) \(amount) monthly with @\(number)"
    case 7: return "edit financial_transactions/@\(number) note N\(draw() % 100)"
    // Not a transaction: if another device edits it meanwhile, only its parts are deleted, which no event announces.
    default: return "delete settlements/@\(number)"
    }
  }

  /// A group, and a person's membership in it.
  @Sendable static func familyLines(_ number: Int) -> DeviceApp.FamilyLines {
    let id = RowKey([UUID(high: UInt64(number), low: 1, version: 8)])
    let group = id.recordName(in: "user_groups")
    return DeviceApp.FamilyLines(
      parent: "group add F\(number) id \(id.text)", child: "group join \(group) @1",
      edit: "edit \(group) name F\(number)b",
      deletion: "delete \(group)", id: SwissCoin.recordID("user_groups", id))
  }

  /// Commands with arguments at their limits, and with the values that are there already.
  private static func unusualLine(_ draw: () -> UInt64) -> String {
    let (number, other) = (draw() % 9 + 1, draw() % 9 + 1)
    let amount = ["0.01", "1", "20", Cents.largest.text][Int(draw() % 4)]
    switch draw() % 27 {
    case 0: return "person add \(UnusualWords.name(upTo: 200, draw)) phone \"\" color \"#00ff00\""
    case 1: return "me name \(UnusualWords.name(upTo: 200, draw))"
    case 2: return "group add \(UnusualWords.name(upTo: 200, draw)) with @\(number),@\(other)"
    case 3: return "spend 0 \(UnusualWords.text(upTo: 300, draw)) by me for me,@\(number)"
    case 4: return "spend \(amount) USD \"E\" by me:\(amount),@\(number):0.01 for me,@\(number) note \"\""
    case 5: return "spend 10 \"E\" for me,@\(number) split exact:10,0 at \(UnusualWords.time(draw))"
    case 6:
      return "spend 0.01 \"E\" for me,@\(number),@\(other) in @\(other) note \(UnusualWords.text(upTo: 1_000, draw))"
    case 7:
      return
        "settle \(amount) EUR from me to @\(number) full at \(UnusualWords.time(draw)) note \(UnusualWords.text(upTo: 300, draw))"
    case 8: return "remind @\(number)"
    case 9: return "say persons/@\(number) \(UnusualWords.text(upTo: 1_000, draw))"
    case 10: return "say subscriptions/@\(number) \(UnusualWords.text(upTo: 300, draw))"
    case 11:
      return
        "subscribe \(UnusualWords.name(upTo: 200, draw)) 0 \(["weekly", "monthly", "yearly", "every 3660 days"][Int(draw() % 4)])"
    case 12: return "subscribe S \(amount) every 1 day with @\(number),@\(other) from \(UnusualWords.time(draw))"
    case 13: return "pay @\(number) \(amount) by @\(other) at \(UnusualWords.time(draw))"
    case 14: return "subremind @\(number) @\(other)"
    case 15:
      return "edit persons/@\(number) phone_number \(draw() % 2 == 0 ? "none" : UnusualWords.text(upTo: 100, draw))"
    case 16: return "edit persons/@\(number) name \(UnusualWords.name(upTo: 200, draw))"
    case 17: return "edit persons/@\(number) is_archived \(draw() % 2 == 0)"
    case 18:
      return
        "edit financial_transactions/@\(number) note \(draw() % 3 == 0 ? "none" : UnusualWords.text(upTo: 1_000, draw))"
    case 19: return "edit financial_transactions/@\(number) title \(UnusualWords.text(upTo: 300, draw))"
    case 20: return "edit financial_transactions/@\(number) amount \(amount)"
    case 21: return "edit settlements/@\(number) amount \(amount)"
    case 22: return "edit settlements/@\(number) note \(draw() % 3 == 0 ? "none" : UnusualWords.text(upTo: 300, draw))"
    case 23:
      return
        "edit subscriptions/@\(number) \(["amount 0", "cycle weekly", "cycle yearly", "name \"S\""][Int(draw() % 4)])"
    case 24: return "spend \(amount) \"E\" for me,@\(number),@\(other) split shares:0,\(number),\(other)"
    case 25: return "delete \(tables[Int(draw() % 6)])/@\(number)"
    default: return "restore \(tables[Int(draw() % 6)])/@\(number)"
    }
  }

  private static let tables = [
    "persons", "user_groups", "settlements", "reminders", "subscriptions", "chat_messages",
  ]
}
