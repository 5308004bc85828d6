import ZoneKitRecords

/// How an expense is divided between persons.
package enum Split: Sendable {
  /// In equal parts.
  case equal([UUID])
  /// In the stated amounts.
  case exact([(person: UUID, amount: Cents)])
  /// By percent.
  case percent([(person: UUID, percent: Double)])
  /// By numbers of shares.
  case shares([(person: UUID, shares: Double)])

  /// Why an expense cannot be divided as it is stated.
  package enum Problem: Error, Hashable, Sendable {
    /// Nobody takes part.
    case nobody
    /// A person is stated twice.
    case twice(UUID)
    /// The percent do not add up to 100; their sum.
    case percent(Double)
    /// The amounts do not add up to the expense; their sum.
    case amounts(Cents)
    /// All shares are zero.
    case noShares
    /// A number is negative or not finite.
    case negative(UUID)
  }

  /// What each person owes, in ascending order of the persons. Parts are cut down to cents, and the cents that are left
  /// go one by one to the persons in that order.
  package func parts(of total: Cents) throws(Problem) -> [(person: UUID, amount: Cents)] {
    switch self {
    case .equal(let persons): return try Self.divide(total, persons.map { ($0, 1) })
    case .exact(let stated):
      let sorted = try Self.sorted(stated.map { ($0.person, Double($0.amount.count)) })
      let sum = stated.reduce(Cents(0)) { $0 + $1.amount }
      guard sum == total else { throw .amounts(sum) }
      return sorted.map { ($0.person, Cents(Int64($0.weight))) }
    case .percent(let stated):
      let sum = stated.reduce(0) { $0 + $1.percent }
      guard stated.isEmpty || (sum - 100).magnitude < 0.005 else { throw .percent(sum) }
      return try Self.divide(total, stated.map { ($0.person, $0.percent) })
    case .shares(let stated): return try Self.divide(total, stated.map { ($0.person, $0.shares) })
    }
  }

  private static func divide(
    _ total: Cents, _ stated: [(person: UUID, weight: Double)]
  ) throws(Problem) -> [(person: UUID, amount: Cents)] {
    let sorted = try sorted(stated)
    let sum = sorted.reduce(0) { $0 + $1.weight }
    guard sum > 0 else { throw .noShares }
    var parts = sorted.map { ($0.person, Cents(Int64((Double(total.count) * ($0.weight / sum)).rounded(.down)))) }
    var rest = parts.reduce(total) { $0 - $1.1 }.count
    var place = 0
    while rest > 0 {
      // A person without a share gets no cent either.
      if sorted[place].weight > 0 {
        parts[place].1 = parts[place].1 + Cents(1)
        rest -= 1
      }
      place = (place + 1) % parts.count
    }
    return parts
  }

  private static func sorted(
    _ stated: [(person: UUID, weight: Double)]
  ) throws(Problem) -> [(person: UUID, weight: Double)] {
    guard !stated.isEmpty else { throw .nobody }
    let sorted = stated.sorted { $0.person < $1.person }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.person == second.person {
      throw .twice(first.person)
    }
    for part in sorted where !(part.weight >= 0 && part.weight.isFinite) { throw .negative(part.person) }
    return sorted
  }
}
