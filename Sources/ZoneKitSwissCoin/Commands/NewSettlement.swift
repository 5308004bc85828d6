import ZoneKitDeviceHost

/// The settlement of a `settle` command.
package struct NewSettlement: Hashable, Sendable {
  /// How much.
  package var amount: Cents
  /// The currency.
  package var currency = "CHF"
  /// Who pays.
  package var from: CommandWords.Word
  /// Who is paid.
  package var to: CommandWords.Word
  /// Whether it settles everything.
  package var isFull = false
  /// When; nil for now.
  package var at: TimeWord?
  /// A remark.
  package var note: String?
}
