import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// One command on its way: it finds rows in the book and collects the edits of one transaction.
struct CommandRun {
  /// The rows that the command reads.
  let book: Book
  /// The user's person.
  let me: Me
  /// The time of the device's wall clock.
  let now: WallTime
  /// The time zone of the device.
  let zone: TimeZoneRules
  /// The edits so far, owners before what they own.
  private(set) var edits: [RecordEdit] = []

  /// A command over those rows.
  init(_ book: Book, me: Me, now: WallTime, in zone: TimeZoneRules) {
    self.book = book
    self.me = me
    self.now = now
    self.zone = zone
  }

  /// Performs the command. Throws if it is not possible.
  mutating func perform(
    _ command: CoinCommand, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    switch command {
    case .addPerson(let name, let phone, let color):
      let values: [Name: RowValue] = ["name": .text(name), "phone_number": text(phone), "color_hex": text(color)]
      let row = try add("persons", values, using: &generator)
      return said("added person \(name) \(row.shortID)")
    case .archive(let word, let isArchived): return try archive(word, isArchived)
    case .nameMe(let name): return try nameMe(name)
    case .addGroup(let name, let members, let id):
      return try addGroup(name, members, id: id ?? UUID(using: &generator))
    case .join(let group, let person): return try join(group, person)
    case .leave(let group, let person): return try leave(group, person)
    case .spend(let expense): return try spend(expense, using: &generator)
    case .settle(let settlement): return try settle(settlement, using: &generator)
    case .remind(let person, let amount, let message):
      return try remind(person, amount, message, using: &generator)
    case .say(let target, let text, let expense): return try say(target, text, on: expense, using: &generator)
    case .subscribe(let subscription): return try subscribe(subscription, using: &generator)
    case .pay(let subscription, let amount, let payer, let time):
      return try pay(subscription, amount, payer, time, using: &generator)
    case .settleSubscription(let subscription, let amount, let from, let to):
      return try settle(subscription, amount, from, to, using: &generator)
    case .remindOfSubscription(let subscription, let person, let amount):
      return try remind(subscription, person, amount, using: &generator)
    case .edit(let word, let field, let value): return try edit(word, field, value)
    case .delete(let word): return try delete(word)
    case .restore(let word): return try restore(word)
    case .list(let table, let limit): return .list(SwissCoin.table(table), try listed(table, limit))
    case .show(let word): return .row(try row(word))
    case .balance(let word): return try balance(word)
    }
  }

  // MARK: Edits

  /// A new row with a random ID.
  @discardableResult
  mutating func add(
    _ table: Name, _ values: [Name: RowValue], using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinRow {
    try add(table, RowKey([UUID(using: &generator)]), values)
  }

  /// A new row with that key.
  @discardableResult
  mutating func add(_ table: Name, _ key: RowKey, _ values: [Name: RowValue] = [:]) throws(AppRefusal) -> CoinRow {
    let row = CoinRow(new: table, key, values, createdAt: now)
    try save(row)
    return row
  }

  /// Saves a row with the stamp of the command. Throws if it breaks a rule, unless the row that it replaces did already.
  mutating func save(_ row: CoinRow, replacing old: CoinRow? = nil) throws(AppRefusal) {
    if let flaw = RowRules.flaw(in: row, me: me.id), old.flatMap({ RowRules.flaw(in: $0, me: me.id) }) != flaw {
      throw AppRefusal(flaw)
    }
    keep(row)
  }

  /// Saves a row with the stamp of the command, without asking the rules.
  mutating func keep(_ row: CoinRow) { edits.append(row.edit(.now)) }

  /// Marks a row as deleted with the stamp of the command.
  mutating func markDeleted(_ row: CoinRow) { edits.append(row.edit(.nowAlso([.deletedAt]))) }

  /// The answer that something was changed.
  func said(_ text: String) -> CoinAnswer { .changed(edits, said: text) }

  // MARK: Words

  /// The row that an ID or a name in quotes stands for, also a deleted one.
  func row(_ word: CommandWords.Word) throws(AppRefusal) -> CoinRow {
    try book.find(word, in: SwissCoin.schema.tables.map(\.name), me: me.id)
  }

  /// The listed row of a table that a word stands for.
  func listed(_ word: CommandWords.Word, in tables: [Name]) throws(AppRefusal) -> CoinRow {
    let row = try book.find(word, in: tables, me: me.id)
    guard row.isLiving else { throw AppRefusal("\(words(for: row)) is deleted; restore it first") }
    guard row.isListed else {
      throw AppRefusal("\(words(for: row)) is archived; `person unarchive \(row.shortID)` brings it back")
    }
    return row
  }

  /// The person that a word stands for.
  func person(_ word: CommandWords.Word) throws(AppRefusal) -> UUID {
    if word == CommandWords.Word("me") { return me.id }
    return try listed(word, in: ["persons"]).key.parts[0]
  }

  /// The persons that words stand for. Throws if a person is named twice.
  func persons(_ words: [CommandWords.Word]) throws(AppRefusal) -> [UUID] {
    var persons: [UUID] = []
    for word in words {
      let person = try person(word)
      guard !persons.contains(person) else { throw AppRefusal("\(name(of: person)) is named twice; name each once") }
      persons.append(person)
    }
    return persons
  }

  /// What users read of a row: its word and name.
  func words(for row: CoinRow) -> String { RowNames(book, me: me.id).words(for: row) }

  /// A person's name.
  func name(of person: UUID) -> String { RowNames(book, me: me.id).name(of: person) }

  /// A time of a command as a value. Throws if it has no text form.
  func time(_ word: TimeWord?) throws(AppRefusal) -> RowValue {
    let time = (word ?? .now).resolved(now: now, in: zone)
    guard (WallTime.earliestWritable...WallTime.latestWritable).contains(time) else {
      throw AppRefusal("the time is outside the years 1 to 9999; expected \(TimeWord.forms)")
    }
    return .timestamp(time)
  }

  /// An optional text as a value.
  func text(_ text: String?) -> RowValue { text.map { .text($0) } ?? .null }
}
