import ZoneKitDeviceHost

/// The subscription of a `subscribe` command.
package struct NewSubscription: Hashable, Sendable {
  /// The name.
  package var name: String
  /// How much each time.
  package var amount: Cents
  /// How often: a word of the column `cycle`.
  package var cycle = "monthly"
  /// The days of the cycle `custom`.
  package var days: Int32?
  /// Who shares it besides me.
  package var with: [CommandWords.Word] = []
  /// The start; nil for now.
  package var from: TimeWord?
}
