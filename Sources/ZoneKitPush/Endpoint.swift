import ZoneKitRecords

/// A receiver of notifications: a registered token, or a watcher's connection.
struct Endpoint {
  /// A notification stored for its device.
  struct Stored {
    var notification: StoredNotification
    /// The time at which it expires.
    var due: MonotonicTime
  }

  /// A poll that waits for a notification.
  struct Poll {
    /// Its number.
    var id: PushGateway.ConnectionID
    /// When it is answered without one.
    var due: MonotonicTime
  }

  /// The connection state of an endpoint, with the notifications that may wait in that state.
  enum Line {
    /// The number is unused.
    case vacant
    /// The device is not connected. One notification can be stored (sync semantics, 2.3); several, oldest first, while the
    /// device may begin to poll.
    case offline(stored: [Stored])
    /// The client polls. The waiting notifications, oldest first, or the polls that wait for one.
    case polled(waiting: [Stored], polls: [Poll])
    case online(PushGateway.ConnectionID)
    /// The device is connected. The held notifications, oldest first, are sent as one burst.
    case gathering(PushGateway.ConnectionID, held: [StoredNotification], burst: UInt64)
    /// The connection is slow. The newest notification of each topic is held, oldest first.
    case blocked(PushGateway.ConnectionID, held: [StoredNotification])
  }

  /// The token; nil for a watcher.
  var token: String?
  /// The name under which the device sends requests, to leave it out of its own changes.
  var device: String?
  /// The name in facts: the device's, or the token if the device has none.
  var name: String
  var line: Line
  /// Whether its client may be one that polls, which shows at its first connection.
  var mayPoll = false
  /// When it connected, or when its last connection ended; nil if it never was connected.
  var since: WallTime?
  /// The number of its last registration; 0 for a watcher.
  var registration: UInt64 = 0
  /// Its memberships in the directory.
  var memberships: [Directory.Membership] = []
  /// The notifications that it gets at the end of this turn.
  var path = Turn.start

  /// Whether the number is used.
  var isUsed: Bool { if case .vacant = line { false } else { true } }

  static let vacant = Endpoint(token: nil, device: nil, name: "", line: .vacant)

  /// Whether that is the device's name in its requests or in its hello.
  func isCalled(_ name: String) -> Bool {
    isUsed && (device == name || self.name == name)
  }
}
