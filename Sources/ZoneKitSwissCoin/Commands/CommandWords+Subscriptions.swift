import ZoneKitDeviceHost

/// Subscriptions.
extension CommandWords {
  /// Parses the words after `subscribe`.
  mutating func subscription() throws(AppRefusal) -> NewSubscription {
    let name = try next("a name, in double quotes where it has blanks")
    var subscription = NewSubscription(
      name: name, amount: try MoneyWord.cents(try next("an amount, such as 19.90"), isZeroAllowed: true))
    while let word = upcoming {
      if !word.isQuoted, ["weekly", "monthly", "yearly"].contains(word.text) {
        subscription.cycle = word.text
        subscription.days = nil
        _ = next()
      } else if take("every") {
        subscription.cycle = "custom"
        subscription.days = try days()
      } else if take("with") {
        subscription.with = try people("with")
      } else if take("from") {
        subscription.from = try time()
      } else {
        throw unexpected("weekly, monthly, yearly, every N days, with P,P, from TIME")
      }
    }
    return subscription
  }

  private mutating func days() throws(AppRefusal) -> Int32 {
    let text = try next("a number of days")
    guard let days = Int32(text), (1...3_660).contains(days) else {
      throw AppRefusal("\"\(text)\" is not a number of days; expected a whole number from 1 to 3660")
    }
    guard take("days") || take("day") else { throw unexpected("days") }
    return days
  }

  /// Parses the words after `pay`.
  mutating func payment() throws(AppRefusal) -> CoinCommand {
    let subscription = try nextWord("a subscription")
    let amount = try MoneyWord.cents(try next("an amount, such as 19.90"))
    guard take("by") else { throw unexpected("by P") }
    let payer = try nextWord("who paid")
    guard upcoming != nil else { return .pay(subscription, amount, by: payer, at: nil) }
    guard take("at") else { throw unexpected("at TIME") }
    return .pay(subscription, amount, by: payer, at: try time())
  }

  /// Parses the words after `subsettle`.
  mutating func subscriptionSettlement() throws(AppRefusal) -> CoinCommand {
    let subscription = try nextWord("a subscription")
    let amount = try MoneyWord.cents(try next("an amount, such as 5"))
    let (from, to) = try ends()
    return .settleSubscription(subscription, amount, from: from, to: to)
  }

  /// Parses the words after `subremind`.
  mutating func subscriptionReminder() throws(AppRefusal) -> CoinCommand {
    let subscription = try nextWord("a subscription")
    let person = try nextWord("a person")
    return .remindOfSubscription(subscription, person, try optionalAmount())
  }
}
