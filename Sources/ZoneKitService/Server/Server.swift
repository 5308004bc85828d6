import ZoneKitEventLoop
import Glibc
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// A whole server: one loop, one thread, the cloud over HTTP and the push socket beside it.
package final class Server {
  private let loop: Loop
  private let lock: DirectoryLock
  private let zones: ZoneService
  private let push: PushService
  private let journal: ServerJournal
  private let listeners: [Listener]
  /// Where CloudKit Web Services are served, with the port that the system chose.
  package let http: Address
  /// Where devices wait for pushes, with the port that the system chose.
  package let pushAddress: Address

  /// Takes the cloud's folder for itself and listens. Throws where another process has the folder, an address is in use,
  /// or a file cannot be read; nothing is left behind then.
  package init(_ options: ServerOptions) throws(ServiceError) {
    let openFiles: UInt64
    do {
      openFiles = try OpenFileLimit.raise()
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    let clock = SystemClock(loop: loop)
    let journal = ServerJournal(version: options.version, startedAt: clock.now.wall)
    let push = PushService(
      policy: PushGateway.Policy(isOpen: options.authentication == .open, leakRate: options.originLeak), clock: clock,
      loop: loop)
    do {
      try StateSwap(data: options.data).finishInterrupted()
      lock = try DirectoryLock(options.data.cloud, details: [])
      // A zone takes three descriptors, a database too; half of what there is stays for connections.
      let zoneLimit = min(CloudFiles.openZoneLimit, max(4, Int(clamping: openFiles / 10)))
      let store = try CloudFiles(root: options.data.cloud, openZoneLimit: zoneLimit)
      zones = ZoneService(
        store: store, limits: options.limits, authentication: Authentication(mode: options.authentication),
        faults: FaultDesk(isOpen: options.authentication == .open && options.http.isLoopback, limits: options.limits),
        clock: clock,
        push: push)
      try zones.loadRegistrations()
    } catch {
      loop.closeAll()
      throw ServiceError("\(error)")
    }
    let zones = zones
    do {
      let httpListener = try Listener(at: options.http, on: loop) { zones.accept($0) }
      let pushListener = try Listener(at: options.push, on: loop) { push.accept($0) }
      listeners = [httpListener, pushListener]
      for signal in SignalWatcher.Signal.allCases {
        _ = try SignalWatcher(signal, on: loop) { [loop] _ in loop.stop() }
      }
      http = httpListener.address
      pushAddress = pushListener.address
    } catch {
      loop.closeAll()
      throw ServiceError(error)
    }
    self.push = push
    self.journal = journal
    do {
      try lock.note([("http", "\(http)"), ("push", "\(pushAddress)")])
    } catch {
      loop.closeAll()
      throw ServiceError(error)
    }
    connect()
  }

  private func connect() {
    let journal = journal
    let zones = zones
    let push = push
    zones.root = "http://\(http)"
    zones.onFact = { journal.record($0) }
    zones.statusReport = { StatusReport.json(zones: zones, push: push.gateway, journal: journal) }
    zones.start(on: loop)
    loop.onTurnEnd = { zones.endTurn() }
  }

  /// Serves until SIGTERM or SIGINT, then ends connections and files in good order. A signal that came since the server was
  /// made counts.
  package func run() {
    loop.run()
    for listener in listeners { listener.close() }
    loop.closeAll()
    zones.close()
  }
}
