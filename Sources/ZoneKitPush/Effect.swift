import ZoneKitRecords

extension PushGateway {
  /// An instruction to the driver.
  package enum Effect: Equatable, Sendable {
    /// Answer a hello with the device's name and the number of stored notifications that follow immediately.
    case welcome(ConnectionID, device: String?, stored: Int)
    /// Write these notifications, in this order and in one write, to each of the connections.
    case send(to: [ConnectionID], [PushNotification])
    /// Send the reason, then close the connection. The gateway has already forgotten it.
    case close(ConnectionID, CloseReason)
    /// Answer a poll with that notification; with nothing if none came in its time.
    case answerPoll(ConnectionID, PushNotification?)
    /// Refuse a poll for that reason.
    case refusePoll(ConnectionID, CloseReason)
    /// Record a fact.
    case fact(PushFact)
  }
}
