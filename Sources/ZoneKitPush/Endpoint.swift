import ZoneKitRecords

/// One receiver of notifications: a registered token, or a watcher's connection.
struct Endpoint {
  /// A notification that waits for its device.
  struct Stored {
    var notification: StoredNotification
    /// When it has waited long enough.
    var due: MonotonicTime
  }

  /// How an endpoint can be reached, with exactly what may wait there.
  enum Line {
    /// This number belongs to no endpoint now.
    case vacant
    /// The device is away; it has one slot (sync semantics, 2.3).
    case offline(stored: Stored?)
    case online(PushGateway.ConnectionID)
    /// The device is connected, and what waits, oldest first, goes out as one burst.
    case gathering(PushGateway.ConnectionID, held: [StoredNotification], burst: UInt64)
    /// The device is connected but slow; the newest notification of each topic waits, oldest first.
    case blocked(PushGateway.ConnectionID, held: [StoredNotification])
  }

  /// The token; nil for a watcher.
  var token: String?
  /// The device as it names itself in requests, by which the origin of a change is left out.
  var device: String?
  /// What the effects calls it: the device, or the token where none is known.
  var name: String
  var line: Line
  /// Its places in the directory.
  var memberships: [Directory.Membership] = []
  /// What it gets at the end of this turn.
  var path = Turn.start

  static let vacant = Endpoint(token: nil, device: nil, name: "", line: .vacant)

  /// Whether that is the device's name in its requests or in its hello.
  func isCalled(_ name: String) -> Bool {
    switch line {
    case .vacant: false
    case .offline, .online, .gathering, .blocked: device == name || self.name == name
    }
  }
}
