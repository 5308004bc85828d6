import ZoneKitDeviceProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitSync
import ZoneKitWire

/// A device's connections to a cloud of zones: HTTP with a protocol adapter, and the push socket.
///
/// The connection to the push service belongs to the device and stays open while the app does not run.
final class ZoneLink: CloudLink {
  private unowned let device: DeviceClient
  private let options: DeviceOptions
  private let adapter: any ClientAdapter
  private let http: HTTPClient
  private let push: PushClient
  private var hasLaunched = false

  /// The connections of that device, which are opened when they are needed.
  init(_ device: DeviceClient, _ options: DeviceOptions, adapter: any ClientAdapter, loop: Loop) {
    self.device = device
    self.options = options
    self.adapter = adapter
    http = HTTPClient(address: options.server, loop: loop)
    push = PushClient(address: options.push, device: options.name, loop: loop) { [unowned device] in
      device.clock.now.wall
    }
    push.onWelcome = { [unowned device] in device.act { $0.pushWelcomed(at: $1.monotonic) } }
    push.onNotification = { [unowned device] in device.received($0) }
    push.onEnd = { [unowned device] end in device.act { $0.pushEnded(end, at: $1.monotonic) } }
  }

  /// The account that is signed in, otherwise the one of the options, otherwise the default.
  private var user: Name {
    let account = device.coordinator.account
    return (hasLaunched ? account : nil) ?? options.user ?? account ?? DeviceOptions.defaultUser
  }

  var account: Name? { user }

  var pushSocket: DeviceDiagnostics.Socket? { device.coordinator.configuration.wantsPushes ? push.socket : nil }

  func coordinatorLaunched() { hasLaunched = true }

  func appEnded() { http.close() }

  var awaitsAnswer: Bool { http.awaitsAnswer }

  func linkChanged(isOnline: Bool) { if !isOnline { http.close() } }

  func carryOut(_ effect: DeviceEffect) {
    switch effect {
    case .send(let exchange): send(exchange)
    case .connectPush(let token): push.open(token: token)
    case .closePush(let reason): push.close(because: reason)
    default: return
    }
  }

  func close() {
    push.close()
    http.close()
  }

  // MARK: Requests

  private func send(_ exchange: ReadAhead.Exchange) {
    let request = exchange.request
    let caller = Caller(user: user, deviceID: device.coordinator.deviceID)
    let database = options.app.database(of: caller.user, in: options.environment)
    let receive = device.receiver()
    http.send(adapter.request(request, of: database, from: caller)) { [adapter] answer in
      let read = answer.map { adapter.response($0, to: request, from: caller) }
      receive(.answer(exchange, read.mapError { CloudError($0) }))
    }
  }
}
