import Testing
import ZoneKitRecords
import ZoneKitSwissCoin

struct MoneyTests {
  @Test(
    arguments: [
      (84.5, 8450, "84.50"), (0.125, 12, "0.12"), (0.375, 38, "0.38"), (-0.125, -12, "-0.12"), (-3, -300, "-3.00"),
      (1e9, 100_000_000_000, "1000000000.00"), (0, 0, "0.00"), (-0.01, -1, "-0.01"),
    ] as [(Double, Int64, String)])
  func `an amount becomes the nearest cents, and the even ones of two`(amount: Double, cents: Int64, text: String) {
    #expect(Cents(nearest: amount) == Cents(cents))
    #expect(Cents(cents).text == text)
  }

  @Test func `every number of cents is read back from its amount`() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<10_000 {
      let cents = Cents(.random(in: -Cents.largest.count...Cents.largest.count, using: &generator))
      #expect(Cents(nearest: cents.amount) == cents)
    }
  }

  @Test func `numbers beyond the range do not fail`() {
    #expect(Cents(nearest: .infinity) == Cents(.max))
    #expect(Cents(nearest: -1e300) == Cents(.min))
    #expect(Cents(nearest: .nan) == Cents(0))
    #expect(Cents(.max) + Cents(1) == Cents(.max))
    #expect(Cents(.min).magnitude == Cents(.max))
    #expect(Cents(.max).part(Cents(.max), of: Cents(1)) == Cents(.max))
  }

  @Test(
    arguments: [
      (5, 1, 2, 2), (7, 1, 2, 4), (-5, 1, 2, -2), (-7, 1, 2, -4), (100, 1, 3, 33), (200, 1, 3, 67), (5, 1, -2, -2),
      (1, 0, 5, 0), (5, 5, 0, 0),
    ] as [(Int64, Int64, Int64, Int64)])
  func `a part is rounded once, to the even number of two`(amount: Int64, share: Int64, whole: Int64, part: Int64) {
    #expect(Cents(amount).part(Cents(share), of: Cents(whole)) == Cents(part))
  }
}

struct SplitTests {
  private static let persons = (1...4).map { UUID(high: 0, low: $0) }

  private func cents(_ split: Split, _ total: Int64) throws -> [Int64] {
    try split.parts(of: Cents(total)).map(\.amount.count)
  }

  @Test func `cents that are left go to the persons in the order of their IDs`() throws {
    #expect(try cents(.equal(Self.persons.reversed().dropLast()), 100) == [34, 33, 33])
    #expect(
      try Split.equal([Self.persons[2], Self.persons[0]]).parts(of: Cents(3)).map(\.person) == [
        Self.persons[0], Self.persons[2],
      ])
    #expect(try cents(.shares([(Self.persons[0], 1), (Self.persons[1], 2)]), 100) == [34, 66])
    #expect(
      try cents(.percent([(Self.persons[0], 50), (Self.persons[1], 25), (Self.persons[2], 25)]), 101) == [51, 25, 25])
  }

  @Test func `a person without a share gets no cent`() throws {
    #expect(
      try cents(.shares([(Self.persons[0], 0), (Self.persons[1], 1), (Self.persons[2], 2)]), 100) == [0, 34, 66])
  }

  @Test func `the parts of every split add up, and differ by a cent from what is exact`() throws {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<5_000 {
      let shares = Self.persons.map { (person: $0, shares: Double(Int.random(in: 1...9, using: &generator))) }
      let total = Int64.random(in: 0...1_000_000, using: &generator)
      let parts = try cents(.shares(shares), total)
      #expect(parts.reduce(0, +) == total)
      let sum = shares.reduce(0) { $0 + $1.shares }
      for (part, share) in zip(parts, shares) {
        #expect((Double(part) - Double(total) * share.shares / sum).magnitude <= 1)
      }
    }
  }

  @Test func `what cannot be divided is refused with the reason`() {
    let (first, second) = (Self.persons[0], Self.persons[1])
    let cases: [(Split, Split.Problem)] = [
      (.equal([]), .nobody), (.equal([first, first]), .twice(first)),
      (.percent([(first, 50), (second, 49)]), .percent(99)), (.percent([]), .nobody),
      (.exact([(first, Cents(50)), (second, Cents(40))]), .amounts(Cents(90))),
      (.shares([(first, 0), (second, 0)]), .noShares), (.shares([(first, -1), (second, 2)]), .negative(first)),
      (.shares([(first, .nan)]), .negative(first)),
      (.exact([(first, Cents(-10)), (second, Cents(110))]), .negative(first)),
    ]
    for (split, problem) in cases {
      #expect(throws: problem) { try split.parts(of: Cents(100)) }
    }
  }
}

struct BalanceTests {
  private static let me = UUID(high: 0, low: 1)
  private static let ben = UUID(high: 0, low: 2)
  private static let ida = UUID(high: 0, low: 3)

  private func balance(_ expenses: [Balance.Expense], _ settlements: [Balance.Settlement] = []) -> [String: Int64] {
    let balance = Balance(of: Self.ben, to: Self.me, expenses: expenses, settlements: settlements)
    return Dictionary(uniqueKeysWithValues: balance.amounts.map { ($0.currency, $0.amount.count) })
  }

  private func half(_ currency: String = "CHF", payer: UUID? = me, payers: [Balance.Part] = []) -> Balance.Expense {
    Balance.Expense(
      currency: currency, payer: payer,
      splits: [Balance.Part(Self.me, Cents(4225)), Balance.Part(Self.ben, Cents(4225))], payers: payers)
  }

  @Test func `the payer is owed the splits of the others`() {
    #expect(balance([half()]) == ["CHF": 4225])
    #expect(balance([half(payer: Self.ben)]) == ["CHF": -4225])
    #expect(balance([half(payer: Self.ida)]) == ["CHF": 0])
  }

  @Test func `several payers are owed in proportion to what they paid`() {
    let payers = [Balance.Part(Self.me, Cents(6338)), Balance.Part(Self.ben, Cents(2112))]
    #expect(balance([half(payers: payers)]) == ["CHF": 3169 - 1056])
  }

  @Test func `payers count instead of the payer, and an expense that nobody paid counts nothing`() {
    #expect(balance([half(payer: Self.me, payers: [Balance.Part(Self.ben, Cents(8450))])]) == ["CHF": -4225])
    #expect(balance([half(payer: nil)]).isEmpty)
    #expect(balance([half(payers: [Balance.Part(Self.me, Cents(0))])]).isEmpty)
    #expect(balance([Balance.Expense(currency: "CHF", payer: Self.me, splits: [])]).isEmpty)
  }

  @Test func `a settlement from the person subtracts and one to the person adds`() {
    let paid = Balance.Settlement(currency: "CHF", from: Self.ben, to: Self.me, amount: Cents(2000))
    let lent = Balance.Settlement(currency: "EUR", from: Self.me, to: Self.ben, amount: Cents(300))
    let other = Balance.Settlement(currency: "USD", from: Self.me, to: Self.ida, amount: Cents(300))
    #expect(balance([half()], [paid, lent, other]) == ["CHF": 2225, "EUR": 300])
  }

  @Test func `a balance of at most a cent is settled`() {
    func settled(_ cents: Int64) -> Bool {
      Balance(
        of: Self.ben, to: Self.me, expenses: [],
        settlements: [Balance.Settlement(currency: "CHF", from: Self.me, to: Self.ben, amount: Cents(cents))]
      ).isSettled
    }
    #expect(settled(0) && settled(1) && settled(-1))
    #expect(!settled(2) && !settled(-2))
  }

  @Test func `the primary currency has the largest amount, and the first code of equal ones`() {
    func primary(_ amounts: [(String, Int64)]) -> String? {
      let settlements = amounts.map {
        Balance.Settlement(currency: $0.0, from: Self.me, to: Self.ben, amount: Cents($0.1))
      }
      return Balance(of: Self.ben, to: Self.me, expenses: [], settlements: settlements).primary?.currency
    }
    #expect(primary([("EUR", 300), ("CHF", -4225)]) == "CHF")
    #expect(primary([("EUR", 300), ("CHF", -300)]) == "CHF")
    #expect(primary([]) == nil)
  }
}
