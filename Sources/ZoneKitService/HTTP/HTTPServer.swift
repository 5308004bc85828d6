import ZoneKitEventLoop
import ZoneKitWire

/// An HTTP server. All answers of a turn to one client are sent in one write at the end of the turn.
package final class HTTPServer {
  let routes: HTTPRoutes
  private let nextTurn: Timer
  /// The connections with answers to send at the end of the turn.
  private var unflushed: [HTTPServerConnection] = []
  /// The connections whose clients have sent more requests than one turn takes.
  private let delayed: Delayed

  /// A list that the server and the closure of its timer share.
  private final class Delayed {
    var connections: [HTTPServerConnection] = []
  }

  /// A server with these routes. Its owner calls `endTurn` at the end of each turn of the loop.
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

  /// Sends the answers since the last call. Connections with more requests continue in the next turn.
  package func endTurn() {
    let connections = unflushed
    unflushed = []
    for connection in connections {
      connection.flush()
      if connection.hasMore { delayed.connections.append(connection) }
    }
    if delayed.connections.isEmpty { nextTurn.cancel() } else { nextTurn.schedule(after: 0) }
  }

  /// Makes a connection continue in the next turn.
  func goOn(with connection: HTTPServerConnection) {
    delayed.connections.append(connection)
    nextTurn.schedule(after: 0)
  }

  /// Takes in that a connection has something to send at the end of the turn; once per turn. Between two turns it
  /// causes a new turn.
  func noteOutput(of connection: HTTPServerConnection) {
    if unflushed.isEmpty { nextTurn.schedule(after: 0) }
    unflushed.append(connection)
  }
}
