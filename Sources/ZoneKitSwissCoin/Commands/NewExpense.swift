import ZoneKitDeviceHost

/// The expense of a `spend` command.
package struct NewExpense: Hashable, Sendable {
  /// How the expense is divided, with a number for each person in the stated order.
  package enum Division: Hashable, Sendable {
    case equal
    case exact([Cents])
    case percent([Double])
    case shares([Double])

    /// The word in the column `split_method`.
    package var method: String {
      switch self {
      case .equal: "equal"
      case .exact: "exact"
      case .percent: "percent"
      case .shares: "shares"
      }
    }
  }

  /// Who shares an expense.
  package enum Sharers: Hashable, Sendable {
    /// Everybody of the group, otherwise me and the payers.
    case usual
    /// Everybody of the group, otherwise everybody whom the device lists.
    case everybody
    /// These persons.
    case persons([CommandWords.Word])
  }

  /// A payer, and the amount if it is stated.
  package struct Payer: Hashable, Sendable {
    /// The person.
    package var person: CommandWords.Word
    /// How much; nil for all, or for an equal part of what the others do not pay.
    package var amount: Cents?

    /// A payer.
    package init(_ person: CommandWords.Word, amount: Cents? = nil) {
      self.person = person
      self.amount = amount
    }
  }

  /// The amount.
  package var amount: Cents
  /// What it was for.
  package var title: String
  /// The currency.
  package var currency = "CHF"
  /// Who paid; me if empty.
  package var payers: [Payer] = []
  /// Who shares it.
  package var sharers = Sharers.usual
  /// How it is divided.
  package var division = Division.equal
  /// The group; nil if it belongs to none.
  package var group: CommandWords.Word?
  /// When; nil for now.
  package var at: TimeWord?
  /// A remark.
  package var note: String?

  /// An expense of mine in Swiss francs.
  package init(_ amount: Cents, title: String) {
    self.amount = amount
    self.title = title
  }
}
