import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// Settlements, reminders, messages and subscriptions.
extension CommandRun {
  /// `settle …`.
  mutating func settle(
    _ new: NewSettlement, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    let (from, to) = (try person(new.from), try person(new.to))
    let row = try add(
      "settlements",
      [
        "amount": .float8(new.amount.amount), "currency": .text(new.currency), "date": try time(new.at),
        "note": text(new.note), "is_full_settlement": .bool(new.isFull), "from_person_id": .uuid(from),
        "to_person_id": .uuid(to),
      ], using: &generator)
    return said("\(name(of: from)) paid \(new.amount.text) \(new.currency) to \(name(of: to)) \(row.shortID)")
  }

  /// `remind P [AMOUNT] ["text"]`.
  mutating func remind(
    _ word: CommandWords.Word, _ amount: Cents?, _ message: String?, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    let person = try person(word)
    let row = try add(
      "reminders",
      [
        "created_date": .timestamp(now), "amount": .float8((amount ?? Cents(0)).amount), "message": text(message),
        "to_person_id": .uuid(person),
      ], using: &generator)
    return said("reminded \(name(of: person)) \(row.shortID)")
  }

  /// `say P|G|S "text" [on T]`.
  mutating func say(
    _ word: CommandWords.Word, _ content: String, on expense: CommandWords.Word?,
    using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    guard content.contains(where: { !$0.isWhitespace }) else { throw AppRefusal("the text is empty") }
    let columns: [Name: Name] = [
      "persons": "with_person_id", "user_groups": "with_group_id", "subscriptions": "with_subscription_id",
    ]
    let target = try listed(word, in: columns.keys.sorted())
    guard target.key.parts[0] != me.id else {
      throw AppRefusal("you cannot write to yourself; name a person, a group or a subscription")
    }
    var values: [Name: RowValue] = ["content": .text(content), "timestamp": .timestamp(now)]
    if let column = columns[target.table.name] { values[column] = .uuid(target.key.parts[0]) }
    if let expense {
      values["on_transaction_id"] = .uuid(try listed(expense, in: ["financial_transactions"]).key.parts[0])
    }
    let row = try add("chat_messages", values, using: &generator)
    return said("said to \(target.name ?? target.shortID) \(row.shortID)")
  }

  // MARK: Subscriptions

  /// `subscribe …`.
  mutating func subscribe(
    _ new: NewSubscription, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    let persons = try persons(new.with)
    let start = try time(new.from)
    let row = try add(
      "subscriptions",
      [
        "name": .text(new.name), "amount": .float8(new.amount.amount), "cycle": .text(new.cycle),
        "custom_cycle_days": new.days.map { .int4($0) } ?? .null, "start_date": start, "next_billing_date": start,
        "is_shared": .bool(!persons.isEmpty),
      ], using: &generator)
    for person in persons { try add("subscription_subscribers", RowKey([row.key.parts[0], person])) }
    return said("subscribed to \(new.name) \(row.shortID)")
  }

  /// `pay S AMOUNT by P [at TIME]`.
  mutating func pay(
    _ word: CommandWords.Word, _ amount: Cents, _ payer: CommandWords.Word, _ at: TimeWord?,
    using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    let subscription = try listed(word, in: ["subscriptions"])
    let payer = try person(payer)
    let row = try add(
      "subscription_payments",
      [
        "subscription_id": .uuid(subscription.key.parts[0]), "payer_id": .uuid(payer), "amount": .float8(amount.amount),
        "date": try time(at),
      ], using: &generator)
    return said("\(name(of: payer)) paid \(amount.text) for \(subscription.name ?? "") \(row.shortID)")
  }

  /// `subsettle S AMOUNT from P to P`.
  mutating func settle(
    _ word: CommandWords.Word, _ amount: Cents, _ from: CommandWords.Word, _ to: CommandWords.Word,
    using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    let subscription = try listed(word, in: ["subscriptions"])
    let (from, to) = (try person(from), try person(to))
    let row = try add(
      "subscription_settlements",
      [
        "subscription_id": .uuid(subscription.key.parts[0]), "from_person_id": .uuid(from), "to_person_id": .uuid(to),
        "amount": .float8(amount.amount), "date": .timestamp(now),
      ], using: &generator)
    return said("\(name(of: from)) paid \(amount.text) to \(name(of: to)) \(row.shortID)")
  }

  /// `subremind S P [AMOUNT]`.
  mutating func remind(
    _ word: CommandWords.Word, _ person: CommandWords.Word, _ amount: Cents?,
    using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    let subscription = try listed(word, in: ["subscriptions"])
    let person = try self.person(person)
    let row = try add(
      "subscription_reminders",
      [
        "subscription_id": .uuid(subscription.key.parts[0]), "to_person_id": .uuid(person),
        "amount": .float8((amount ?? Cents(0)).amount), "created_date": .timestamp(now),
      ], using: &generator)
    return said("reminded \(name(of: person)) of \(subscription.name ?? "") \(row.shortID)")
  }
}

/// Balances.
extension CommandRun {
  /// `balance [P]`: of one person, also a deleted one, or of all listed ones.
  func balance(_ word: CommandWords.Word?) throws(AppRefusal) -> CoinAnswer {
    let persons: [CoinRow]
    if let word {
      let person = try book.find(word, in: ["persons"], me: me.id)
      guard person.key.parts[0] != me.id else { throw AppRefusal("a balance is that of another person with you") }
      persons = [person]
    } else {
      persons = book.listed(in: "persons").filter { $0.key.parts[0] != me.id }
    }
    let sheet = book.balanceSheet
    return .balances(persons.map { ($0, sheet.balance(of: $0.key.parts[0], to: me.id)) })
  }
}
