import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// Expenses with their splits and payers.
extension CommandRun {
  /// `spend …`.
  mutating func spend(
    _ new: NewExpense, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> CoinAnswer {
    guard new.amount.count > 0 || !new.title.isEmpty else { throw AppRefusal("an expense of 0 needs a title") }
    let group = try new.group.map { (word) throws(AppRefusal) in try listed(word, in: ["user_groups"]) }
    let payers = try payers(of: new)
    let split = try split(of: new, sharers: try sharers(of: new, in: group, payers: payers))
    let parts: [(person: UUID, amount: Cents)]
    do throws(Split.Problem) {
      parts = try split.parts(of: new.amount)
    } catch {
      throw AppRefusal(sentence(for: error, of: new.amount))
    }
    let expense = try add(
      "financial_transactions",
      [
        "title": .text(new.title), "amount": .float8(new.amount.amount), "currency": .text(new.currency),
        "date": try time(new.at), "split_method": .text(new.division.method), "note": text(new.note),
        "payer_id": payers.count == 1 ? .uuid(payers[0].person) : .null, "created_by_id": .uuid(me.id),
        "group_id": group.map { .uuid($0.key.parts[0]) } ?? .null,
      ], using: &generator)
    let id = RowValue.uuid(expense.key.parts[0])
    for part in parts {
      try add(
        "transaction_splits",
        [
          "transaction_id": id, "owed_by_id": .uuid(part.person), "amount": .float8(part.amount.amount),
          "raw_amount": split.typed(by: part.person),
        ], using: &generator)
    }
    // The payer of an expense with one payer is in the expense.
    for payer in payers where payers.count > 1 {
      try add(
        "transaction_payers",
        ["transaction_id": id, "paid_by_id": .uuid(payer.person), "amount": .float8(payer.amount.amount)],
        using: &generator)
    }
    return said("spent \(new.amount.text) \(new.currency) for \(new.title) \(expense.shortID)")
  }

  /// Who pays how much. Payers without an amount share the rest equally.
  private func payers(of new: NewExpense) throws(AppRefusal) -> [(person: UUID, amount: Cents)] {
    guard !new.payers.isEmpty else { return [(me.id, new.amount)] }
    let persons = try persons(new.payers.map(\.person))
    let stated = new.payers.compactMap(\.amount).reduce(Cents(0), +)
    let rest = new.amount - stated
    let sharing = zip(persons, new.payers).filter { $0.1.amount == nil }.map(\.0)
    guard rest.count == 0 || (rest.count > 0 && !sharing.isEmpty) else {
      throw AppRefusal("the payers' amounts add up to \(Self.difference(stated, of: new.amount))")
    }
    let shares = (try? Split.equal(sharing).parts(of: rest)) ?? []
    return zip(persons, new.payers).map { person, payer in
      (person, payer.amount ?? shares.first { $0.person == person }?.amount ?? Cents(0))
    }
  }

  private func sharers(
    of new: NewExpense, in group: CoinRow?, payers: [(person: UUID, amount: Cents)]
  ) throws(AppRefusal) -> [UUID] {
    if case .persons(let words) = new.sharers { return try persons(words) }
    if let group {
      let members = book.living(in: "group_members", where: "group_id", is: group.key.parts[0]).map(\.key.parts[1])
      return members.filter { $0 == me.id || book.row("persons", RowKey([$0]))?.isListed == true }
    }
    let others =
      new.sharers == .everybody
      ? book.listed(in: "persons").map(\.key.parts[0]) : payers.map(\.person)
    return [me.id] + others.filter { $0 != me.id }
  }

  private func split(of new: NewExpense, sharers: [UUID]) throws(AppRefusal) -> Split {
    func paired<Number>(_ numbers: [Number]) throws(AppRefusal) -> [(UUID, Number)] {
      guard case .persons = new.sharers else {
        throw AppRefusal("split \(new.division.method) needs the persons in order; say for P,P")
      }
      guard numbers.count == sharers.count else {
        throw AppRefusal("\(numbers.count.counted("number")) for \(sharers.count.counted("person")); say one for each")
      }
      return Array(zip(sharers, numbers))
    }
    switch new.division {
    case .equal: return .equal(sharers)
    case .exact(let amounts): return .exact(try paired(amounts).map { (person: $0, amount: $1) })
    case .percent(let numbers): return .percent(try paired(numbers).map { (person: $0, percent: $1) })
    case .shares(let numbers): return .shares(try paired(numbers).map { (person: $0, shares: $1) })
    }
  }

  private func sentence(for problem: Split.Problem, of total: Cents) -> String {
    switch problem {
    case .nobody: "nobody shares the expense; name persons with for P,P"
    case .twice(let person): "\(name(of: person)) is named twice; name each once"
    case .percent(let sum): "the percentages add up to \(Self.difference(Cents(nearest: sum), of: Cents(10_000)))"
    case .amounts(let sum): "the amounts add up to \(Self.difference(sum, of: total))"
    case .noShares: "all shares are 0; at least one has to be more"
    case .negative(let person): "the part of \(name(of: person)) is negative; expected 0 or more"
    }
  }

  /// `50.00 of 60.00; 10.00 is missing`.
  private static func difference(_ sum: Cents, of total: Cents) -> String {
    let rest = total - sum
    return "\(sum.text) of \(total.text); \(rest.magnitude.text) is \(rest.count > 0 ? "missing" : "too much")"
  }
}

extension Split {
  /// What the user typed for a person, percent or shares, if it is more than 0; null for the other ways to divide.
  fileprivate func typed(by person: UUID) -> RowValue {
    let number: Double? =
      switch self {
      case .equal, .exact: nil
      case .percent(let parts): parts.first { $0.person == person }?.percent
      case .shares(let parts): parts.first { $0.person == person }?.shares
      }
    guard let number, number > 0 else { return .null }
    return .float8(number)
  }
}
