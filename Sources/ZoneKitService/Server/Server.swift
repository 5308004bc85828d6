import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// A complete server: one loop on one thread, the cloud over HTTP, and the push socket. It keeps its addresses while another
/// process replaces the files of its cloud.
package final class Server {
  private let loop: Loop
  private let options: ServerOptions
  private let shares: DescriptorShares
  private let place: ServerPlace
  /// What is served; nil while it is replaced, and after the end.
  private var served: ServedCloud?
  /// Whether another process waits for the files of the cloud.
  private var isToStandAside = false
  /// The address for requests, with the actual port.
  package var http: Address { place.http }
  /// The address for pushes, with the actual port.
  package var pushAddress: Address { place.push }
  /// The key for requests to `/zonekit/`; nil if none is needed. It is another one each time a server starts.
  package var controlKey: String? { place.controlKey }
  /// The URL of the tables, the key of apps and that of the server's owner; nil if the server has no tables.
  package var supabase: (url: String, anonymousKey: String, serviceKey: String)? {
    served?.keys.map { (place.url, $0.anonymous, $0.service) }
  }
  /// Why the server ended because it could not serve the files that another process put in place of its own; nil otherwise.
  package private(set) var failure: ServiceError?

  /// Locks the cloud's folder and listens. Throws if another process holds the folder, an address is in use, or a file
  /// cannot be read; then nothing is left behind. The server uses the loop and its `onTurnEnd`. Others may open
  /// connections on the same loop.
  package init(_ options: ServerOptions, on loop: Loop) throws(ServiceError) {
    (self.loop, self.options) = (loop, options)
    do {
      shares = DescriptorShares(of: try options.descriptorsToDivide())
    } catch {
      throw ServiceError(error)
    }
    do {
      let cloud = try ServedCloud(options, shares, on: loop)
      let requests = try Listener(at: options.http, passed: options.passedSocket(at: options.http), on: loop)
      let pushes = try Listener(at: options.push, passed: options.passedSocket(at: options.push), on: loop)
      for listener in [requests, pushes] { listener.isPermanent = true }
      shares.limit(requests, pushes)
      for signal in SignalWatcher.Signal.allCases where options.endsAtSignals {
        _ = try SignalWatcher(signal, on: loop) { [loop] _ in loop.stop() }
      }
      var generator = SystemGenerator()
      place = ServerPlace(
        server: HTTPServer(HTTPRoutes([:]), loop: loop), requests: requests, pushes: pushes,
        controlKey: options.authentication == .strict ? RandomIdentifier.uuid(using: &generator) : nil)
      try serve(cloud)
    } catch {
      loop.closeAll()
      throw ServiceError("\(error)")
    }
  }

  /// A server with its own loop.
  package convenience init(_ options: ServerOptions) throws(ServiceError) {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    try self.init(options, on: loop)
  }

  private func serve(_ cloud: ServedCloud) throws(StoreError) {
    served = cloud
    try cloud.serve(place) { [unowned self] in
      isToStandAside = true
      loop.stop()
    }
  }

  /// Serves until SIGTERM or SIGINT, then closes. A signal that arrived since `init` counts. With `reports`, a service
  /// manager hears of that, if there is one.
  package func run(reports: Bool = false) {
    let manager = reports ? ServiceManagerReports(on: loop) : nil
    manager?.ready(at: http)
    loop.run()
    while isToStandAside, standAside() { loop.run() }
    manager?.stopping()
    close()
  }

  /// Closes all connections and files.
  package func close() {
    for listener in [place.requests, place.pushes] { listener.close() }
    guard let served = served.take() else { return loop.closeAll() }
    served.close { loop.closeAll() }
  }

  // MARK: Standing aside

  /// Closes the cloud and its connections, waits until it is replaced, and serves the new one at the same addresses. New
  /// connections wait. Returns false if a signal arrived meanwhile, or if the new cloud cannot be served.
  private func standAside() -> Bool {
    isToStandAside = false
    let server = place.server
    for listener in [place.requests, place.pushes] { listener.onAccept = nil }
    let former = served.take()
    former?.close { loop.closeOthers() }
    server.routes = HTTPRoutes([:])
    loop.onTurnEnd = { server.endTurn() }
    guard isReplaced() else { return false }
    do {
      let cloud = try ServedCloud(options, shares, on: loop)
      if let former { cloud.takeFaults(of: former) }
      try serve(cloud)
      return true
    } catch {
      failure = ServiceError("\(error)")
      return false
    }
  }

  /// Waits until nobody replaces the state of the data directory. Returns false if a signal came first.
  private func isReplaced() -> Bool {
    var isDone = false
    var look: Timer?
    look = Timer(on: loop) { [options, loop] in
      guard !StandingAside.isWanted(in: options.data) else { return look?.schedule(after: StandingAside.step) ?? () }
      isDone = true
      loop.stop()
    }
    look?.schedule(after: 0)
    loop.run()
    look?.close()
    look = nil
    return isDone
  }
}
