import ZoneKitRecords

/// What a person owes the user of the app, by currency. Negative amounts are what the user owes the person.
package struct Balance: Hashable, Sendable {
  /// An expense, with its living splits and payers.
  package struct Expense: Hashable, Sendable {
    /// The currency, such as `CHF`.
    package var currency: String
    /// The person who paid if there are no payers; nil if nobody did.
    package var payer: UUID?
    /// What each person owes.
    package var splits: [Part]
    /// What each person paid.
    package var payers: [Part]

    /// An expense.
    package init(currency: String, payer: UUID? = nil, splits: [Part], payers: [Part] = []) {
      self.currency = currency
      self.payer = payer
      self.splits = splits
      self.payers = payers
    }
  }

  /// A person's part of an expense.
  package struct Part: Hashable, Sendable {
    /// The person.
    package var person: UUID
    /// The part.
    package var amount: Cents

    /// A part.
    package init(_ person: UUID, _ amount: Cents) {
      self.person = person
      self.amount = amount
    }
  }

  /// A payment between two persons.
  package struct Settlement: Hashable, Sendable {
    /// The currency.
    package var currency: String
    /// Who pays; nil if that is not known.
    package var from: UUID?
    /// Who is paid; nil if that is not known.
    package var to: UUID?
    /// How much.
    package var amount: Cents

    /// A payment.
    package init(currency: String, from: UUID?, to: UUID?, amount: Cents) {
      self.currency = currency
      self.from = from
      self.to = to
      self.amount = amount
    }
  }

  /// The amounts by currency, in ascending order of the currencies that the person and the user share.
  package let amounts: [(currency: String, amount: Cents)]

  /// A balance of those amounts.
  init(_ amounts: [(currency: String, amount: Cents)]) { self.amounts = amounts.sorted { $0.currency < $1.currency } }

  /// The balance of a person over rows that are not deleted. For each expense the person owes the part of its split that
  /// the user paid, and is owed the part of the user's split that the person paid.
  package init(of person: UUID, to user: UUID, expenses: [Expense], settlements: [Settlement]) {
    // Sums are exact before they are cut to 64 bits, so the order of the rows does not matter.
    var sums: [String: Int128] = [:]
    for expense in expenses {
      guard let owed = expense.owed(by: person, to: user) else { continue }
      sums[expense.currency, default: 0] += Int128(owed.count)
    }
    for settlement in settlements {
      switch (settlement.from, settlement.to) {
      case (person, user): sums[settlement.currency, default: 0] -= Int128(settlement.amount.count)
      case (user, person): sums[settlement.currency, default: 0] += Int128(settlement.amount.count)
      default: continue
      }
    }
    amounts = sums.sorted { $0.key < $1.key }.map { ($0.key, Cents(Int64(clamping: $0.value))) }
  }

  /// Whether no amount is more than a cent.
  package var isSettled: Bool { amounts.allSatisfy { $0.amount.magnitude <= Cents(1) } }

  /// The currency with the largest amount without regard to its sign, the first of equal ones; nil if there is none.
  package var primary: (currency: String, amount: Cents)? {
    amounts.reduce(nil) { best, next in
      guard let best else { return next }
      return next.amount.magnitude > best.amount.magnitude ? next : best
    }
  }

  /// Whether both have the same amounts.
  package static func == (first: Balance, second: Balance) -> Bool {
    first.amounts.elementsEqual(second.amounts) { $0 == $1 }
  }

  /// Hashes the amounts.
  package func hash(into hasher: inout Hasher) {
    for entry in amounts {
      hasher.combine(entry.currency)
      hasher.combine(entry.amount)
    }
  }
}

extension Balance.Expense {
  /// What a person owes the user for the expense; nil if the two have nothing to do with each other in it.
  fileprivate func owed(by person: UUID, to user: UUID) -> Cents? {
    guard person != user, !splits.isEmpty else { return nil }
    let paid = payers.isEmpty ? payer.map { [Balance.Part($0, Cents(1))] } ?? [] : payers
    let all = Self.sum(paid)
    guard all.count != 0 else { return nil }
    let theirs = Self.sum(splits.filter { $0.person == person }).part(
      Self.sum(paid.filter { $0.person == user }), of: all)
    let mine = Self.sum(splits.filter { $0.person == user }).part(
      Self.sum(paid.filter { $0.person == person }), of: all)
    let concerns = [person, user].allSatisfy { one in
      splits.contains { $0.person == one } || paid.contains { $0.person == one }
    }
    return concerns ? theirs - mine : nil
  }

  private static func sum(_ parts: [Balance.Part]) -> Cents { parts.reduce(Cents(0)) { $0 + $1.amount } }
}
