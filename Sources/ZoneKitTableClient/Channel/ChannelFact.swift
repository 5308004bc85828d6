import ZoneKitRecords

/// An event of a device's channel, for its log.
package enum ChannelFact: Hashable, Sendable {
  /// The channel is joined, or is not any more.
  case connectionChanged(isConnected: Bool)
  /// A change event arrived about a row of that table.
  case change(table: Name, kind: String)
  /// A change event named a table that the app does not have. It is ignored.
  case unknownTable(String)
  /// A change event is about a version that the device has fetched already. It is ignored.
  case duplicate(notificationID: String)
  /// A change event is about this device's own write. It is ignored.
  case ownEcho(notificationID: String)
  /// The service refused the channel or ended it, with that reason.
  case refused(String)
  /// The channel is tried again after that many milliseconds.
  case retry(inMilliseconds: Int64)

  /// The kind of the fact in one word.
  package var kind: String {
    switch self {
    case .connectionChanged: "realtimeConnectionChanged"
    case .change: "change"
    case .unknownTable: "unknownTable"
    case .duplicate: "duplicate"
    case .ownEcho: "ownEcho"
    case .refused: "refused"
    case .retry: "retry"
    }
  }

  /// The fact as a line of the log.
  package var text: String {
    switch self {
    case .connectionChanged(let isConnected): isConnected ? "Realtime connected" : "Realtime disconnected"
    case .change(let table, let kind): "\(table) - \(kind)"
    case .unknownTable(let table): "change of unknown table \(table): ignored"
    case .duplicate(let id): "change \(id) is known: ignored"
    case .ownEcho(let id): "change \(id) is this device's own: ignored"
    case .refused(let reason): "channel refused: \(reason)"
    case .retry(let pause): "channel is tried again in \(pause) ms"
    }
  }
}
