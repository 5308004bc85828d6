import ZoneKitEventLoop
import ZoneKitWire

/// The connections of an HTTP server. All answers of a turn to one client go out in one write at the end of the turn.
package final class HTTPServer {
  let routes: HTTPRoutes
  private let nextTurn: Timer
  /// Connections with answers that wait for the end of the turn.
  private var unflushed: [HTTPServerConnection] = []
  /// Connections whose clients sent more requests ahead than one turn takes.
  private let delayed: Delayed

  /// A list that the timer's closure and the server share.
  private final class Delayed {
    var connections: [HTTPServerConnection] = []
  }

  /// A server of these routes. Its owner calls `endTurn` at the end of each turn of the loop.
  package init(_ routes: HTTPRoutes, loop: Loop) {
    self.routes = routes
    let delayed = Delayed()
    self.delayed = delayed
    nextTurn = Timer(on: loop) {
      let connections = delayed.connections
      delayed.connections = []
      for connection in connections { connection.take() }
    }
  }

  /// Serves a connection.
  package func accept(_ stream: Connection) { HTTPServerConnection(stream, of: self).start() }

  /// Sends what was answered since the last call, and lets clients that sent more requests go on in the next turn.
  package func endTurn() {
    let connections = unflushed
    unflushed = []
    for connection in connections {
      connection.flush()
      if connection.hasMore { delayed.connections.append(connection) }
    }
    if delayed.connections.isEmpty { nextTurn.cancel() } else { nextTurn.schedule(after: 0) }
  }

  /// Lets a connection go on in the next turn.
  func goOn(with connection: HTTPServerConnection) {
    delayed.connections.append(connection)
    nextTurn.schedule(after: 0)
  }

  /// Notes that a connection has something to send at the end of the turn; once for each turn. What comes between two turns
  /// makes a turn.
  func noteOutput(of connection: HTTPServerConnection) {
    if unflushed.isEmpty { nextTurn.schedule(after: 0) }
    unflushed.append(connection)
  }
}
