import ZoneKitRecords

extension PushGateway {
  /// What the driver has to do.
  package enum Effect: Equatable, Sendable {
    /// Answer a hello: the device, and how many notifications waited for it and follow at once.
    case welcome(ConnectionID, device: String?, stored: Int)
    /// Write these notifications, in this order and in one write, to each connection: the bytes are the same for all.
    case send(to: [ConnectionID], [PushNotification])
    /// Say why, then close. The connection is already unknown here.
    case close(ConnectionID, CloseReason)
    /// Something for the effects.
    case fact(PushFact)
  }
}
