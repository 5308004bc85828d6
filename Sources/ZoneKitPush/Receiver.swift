import ZoneKitRecords

extension PushGateway {
  /// A registered push token or a watcher, for reports.
  package struct Receiver: Hashable, Sendable {
    /// The name in the last hello; without one the device ID, or the beginning of the token.
    package var name: String
    /// The device ID of the registration; nil for none.
    package var deviceID: String?
    /// The push token; nil for a watcher.
    package var token: String?
    /// The user whose notifications it gets.
    package var user: Name?
    /// Its connection; nil if it is not connected.
    package var connection: ConnectionID?
    /// When it connected, or when its last connection ended; nil if it was never connected since the service started.
    package var since: WallTime?
    /// The notifications that are stored or held for it, oldest first.
    package var waiting: [PushNotification]

    /// Whether it is connected.
    package var isConnected: Bool { connection != nil }
  }

  /// All registered tokens and watchers, in the order of their numbers.
  package var receivers: [Receiver] {
    endpoints.indices.filter { endpoints[$0].isUsed }.map { index in
      let endpoint = endpoints[index]
      let waiting: [StoredNotification] =
        switch endpoint.line {
        case .vacant, .online: []
        case .offline(let stored), .polled(let stored, _): stored.map(\.notification)
        case .gathering(_, let held, _), .blocked(_, let held): held
        }
      return Receiver(
        name: endpoint.name, deviceID: endpoint.device, token: endpoint.token,
        user: endpoint.memberships.first.map { directory.audience(of: $0).user },
        connection: connection(of: index), since: endpoint.since, waiting: waiting.map(\.payload))
    }
  }
}
