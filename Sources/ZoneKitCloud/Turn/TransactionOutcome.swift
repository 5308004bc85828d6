/// The answer of a transaction and its changes of zones.
package struct TransactionOutcome {
  /// The answer, which is given after the commit.
  package var answer: TransactionAnswer
  /// The changed zones, each once. A zone without changes that did not exist is created.
  package var zones: [ZoneOverlay]
  /// Whether the changed zones are read by record type.
  package var isReadByType: Bool
  /// Whether the commits of the changes are reported as facts. Those of the directory of users are not.
  package var isTold: Bool
  /// Who is notified of the changes through subscriptions.
  package enum Announcement: Hashable, Sendable {
    /// Nobody.
    case none
    /// All devices but the sender.
    case others
    /// All devices, because the sender does not know all of the changes.
    case all
  }

  /// Who is notified of the changes through subscriptions.
  package var announcement: Announcement

  /// An outcome with those changes.
  package init(
    _ answer: TransactionAnswer, changing zones: [ZoneOverlay] = [], isReadByType: Bool = false,
    isTold: Bool = true, announcement: Announcement = .none
  ) {
    self.answer = answer
    self.zones = zones
    self.isReadByType = isReadByType
    self.isTold = isTold
    self.announcement = announcement
  }
}
