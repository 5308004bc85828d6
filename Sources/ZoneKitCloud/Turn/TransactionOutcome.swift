/// The answer of a transaction and its changes of zones.
package struct TransactionOutcome {
  /// The answer, which is given after the commit.
  package var answer: TransactionAnswer
  /// The changed zones, each once. A zone without changes that did not exist is created.
  package var zones: [ZoneOverlay]
  /// Whether the changed zones are read by record type.
  package var isReadByType: Bool
  /// Whether subscriptions get notifications of the changes.
  package var isAnnounced: Bool

  /// An outcome with those changes.
  package init(
    _ answer: TransactionAnswer, changing zones: [ZoneOverlay] = [], isReadByType: Bool = false,
    isAnnounced: Bool = false
  ) {
    self.answer = answer
    self.zones = zones
    self.isReadByType = isReadByType
    self.isAnnounced = isAnnounced
  }
}
