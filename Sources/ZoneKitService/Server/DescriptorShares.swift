import ZoneKitEventLoop
import ZoneKitStorage

/// How a server divides the file descriptors of its process between the files of its store and its connections.
struct DescriptorShares: Equatable {
  /// The descriptors that a server needs besides those of its store and of connections: standard streams, the loop, the
  /// lock, listeners and their spare descriptors, and the file of accounts.
  static let own = 18 + AccountFiles.descriptors
  /// The part of the connections that is kept for requests, as a divisor. A push connection may be open for any time,
  /// and must not keep clients from sending requests; a connection for requests ends by itself when it is idle.
  static let requestsPart = 8

  /// The number of zones that are open at once.
  let openZones: Int
  /// The number of open connections above which no connection for requests is accepted.
  let connections: Int
  /// The number of open connections above which no push connection is accepted.
  let withPush: Int

  /// The number of open connections of one address above which none of its connections for requests is accepted, so that
  /// one address does not lock out the others, also not from push connections.
  let ofAddress: Int
  /// The number of them above which none of its push connections is accepted, so that it can send requests, too.
  let pushOfAddress: Int

  /// Divides that many descriptors. At least half of them are for connections: a connection must not take one that is
  /// free only until the checkpoint thread has opened a file.
  init(of descriptors: UInt64) {
    let shared = Int(clamping: descriptors) - Self.own
    openZones = CloudFiles.openZoneLimit(within: shared / 2)
    connections = max(2, shared - CloudFiles.descriptors(openZoneLimit: openZones))
    let part = max(1, connections / Self.requestsPart)
    withPush = connections - part
    ofAddress = max(1, withPush - part)
    pushOfAddress = max(1, ofAddress - part)
  }

  /// Sets the limits of the listeners for requests and for push connections.
  func limit(_ requests: Listener, _ pushes: Listener) {
    requests.connectionLimit = connections
    requests.addressLimit = ofAddress
    pushes.connectionLimit = withPush
    pushes.addressLimit = pushOfAddress
  }
}
