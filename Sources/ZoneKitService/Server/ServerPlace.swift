import ZoneKitEventLoop

/// Where a server is reached. It stays when the cloud that is served is replaced.
struct ServerPlace {
  /// The HTTP server.
  let server: HTTPServer
  /// The listener for requests.
  let requests: Listener
  /// The listener for pushes.
  let pushes: Listener
  /// The key for requests to `/zonekit/`; nil if none is needed.
  let controlKey: String?

  /// The address for requests.
  var http: Address { requests.address }
  /// The address for pushes.
  var push: Address { pushes.address }
  /// The URL of the server in its answers.
  var url: String { "http://\(http)" }
}
