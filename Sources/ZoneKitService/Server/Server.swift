import Glibc
import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// A whole server: one loop, one thread, the cloud over HTTP and the push socket beside it. This is where files, sockets and
/// services are joined.
package final class Server {
  private let loop: Loop
  private let lock: DirectoryLock
  private let zones: ZoneService<CloudFiles>
  private let listeners: [Listener]
  /// Where the cloud is served, with the port that the system chose.
  package let http: Address
  /// Where devices wait for pushes, with the port that the system chose.
  package let pushAddress: Address

  /// Takes the cloud's folder for itself and listens. Throws where another process has the folder, an address is in use,
  /// or a file cannot be read; nothing is left behind then. The server takes the loop, and the end of its turns, for itself;
  /// others may open connections on it.
  package init(_ options: ServerOptions, on loop: Loop) throws(ServiceError) {
    self.loop = loop
    let openFiles: UInt64
    do {
      openFiles = try OpenFileLimit.raise()
    } catch {
      throw ServiceError(error)
    }
    let clock = SystemClock(loop: loop)
    let journal = ServerJournal(version: options.version) { clock.now.wall }
    let push = PushService(policy: options.pushPolicy, clock: clock, loop: loop) { journal.record($0) }
    do {
      try StateSwap(data: options.data).finishInterrupted()
      lock = try DirectoryLock(options.data.cloud, details: [])
      // A zone takes three descriptors, a database too; half of what there is stays for connections.
      let zoneLimit = min(CloudFiles.openZoneLimit, max(4, Int(clamping: openFiles / 10)))
      zones = ZoneService(
        store: try CloudFiles(root: options.data.cloud, openZoneLimit: zoneLimit),
        authentication: Authentication(mode: options.authentication),
        faults: FaultInjector(
          isOpen: options.authentication == .open && options.http.isLoopback, limits: options.limits),
        push: push, journal: journal
      ) { clock.now }
      try zones.loadRegistrations()
      let httpListener = try Listener(at: options.http, on: loop)
      let pushListener = try Listener(at: options.push, on: loop) { push.accept($0) }
      listeners = [httpListener, pushListener]
      for signal in SignalWatcher.Signal.allCases {
        _ = try SignalWatcher(signal, on: loop) { [loop] _ in loop.stop() }
      }
      http = httpListener.address
      pushAddress = pushListener.address
      try lock.note([("http", "\(http)"), ("push", "\(pushAddress)")])
    } catch {
      loop.closeAll()
      throw ServiceError("\(error)")
    }
    serve(options.adapters, push: push, journal: journal, on: listeners[0])
  }

  /// Joins the services to the loop: routes for requests, and what happens at the end of a turn.
  private func serve(
    _ adapters: [any ProtocolAdapter], push: PushService, journal: ServerJournal, on listener: Listener
  ) {
    let zones = zones
    let events = EventFeed(of: journal)
    let control = ControlRoute(zones: zones, events: events) {
      StatusReport.json(zones: zones, push: push.gateway, journal: journal, readers: events.readerCount)
    }
    var routes = [ControlRoute<CloudFiles>.root: control.route]
    for adapter in adapters { routes.merge(zones.routes(adapter, root: "http://\(http)")) { $1 } }
    let server = HTTPServer(HTTPRoutes(routes), loop: loop)
    listener.onAccept = { server.accept($0) }
    let delayed = Timer(on: loop) { zones.answerDelayed() }
    loop.onTurnEnd = {
      zones.endTurn()
      server.endTurn()
      push.endTurn()
      events.publish()
      server.endTurn()
      if let due = zones.nextDelayedAnswer { delayed.schedule(at: due) }
    }
  }

  /// A server on a loop of its own.
  package convenience init(_ options: ServerOptions) throws(ServiceError) {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    try self.init(options, on: loop)
  }

  /// Serves until SIGTERM or SIGINT, then closes. A signal that came since the server was made counts.
  package func run() {
    loop.run()
    close()
  }

  /// Ends all connections and files in good order.
  package func close() {
    for listener in listeners { listener.close() }
    loop.closeAll()
    zones.close()
  }
}
