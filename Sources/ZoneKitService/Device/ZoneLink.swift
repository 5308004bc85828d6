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
  private var isOnline = true

  /// The connections of that device, which are opened when they are needed.
  init(_ device: DeviceClient, _ options: DeviceOptions, adapter: any ClientAdapter, loop: Loop) {
    self.device = device
    self.options = options
    self.adapter = adapter
    http = HTTPClient(address: options.server, loop: loop)
    push = PushClient(address: options.push, device: options.name, loop: loop) { [unowned device] in
      device.clock.now.wall
    }
    push.onWelcome = { [unowned self] in
      self.device.received(.pushConnected)
    }
    push.onNotification = { [unowned self] in self.device.received($0) }
    push.onRefusal = { [unowned self] reason, _ in self.refused(reason) }
  }

  /// The account that is signed in, otherwise the one of the options, otherwise the default.
  private var user: Name {
    let account = device.coordinator.account
    return (hasLaunched ? account : nil) ?? options.user ?? account ?? DeviceOptions.defaultUser
  }

  var account: Name? { user }

  var pushSocket: DeviceDiagnostics.Socket? { device.coordinator.configuration.wantsPushes ? push.socket : nil }

  func coordinatorLaunched() {
    hasLaunched = true
    openPush()
  }

  func appEnded() { http.close() }

  var awaitsAnswer: Bool { http.awaitsAnswer }

  func linkChanged(isOnline: Bool) {
    self.isOnline = isOnline
    guard !isOnline else { return openPush() }
    http.close()
    push.close(because: DeviceDiagnostics.Socket.noLink)
  }

  func carryOut(_ effect: DeviceEffect) {
    switch effect {
    case .send(let exchange): send(exchange)
    case .fact(.pushTokenRegistered): openPush()
    case .pushTokenKept:
      if isOnline, let token = device.coordinator.pushToken { push.openLater(token: token) }
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
      switch answer {
      case .success(let response):
        receive(.answer(exchange, .success(adapter.response(response, to: request, from: caller))))
      case .failure(.notSent(let reason)):
        receive(.answer(exchange, .failure(CloudError(.networkUnavailable, reason))))
      case .failure(.answerLost(let reason)):
        receive(.answer(exchange, .failure(CloudError(.serverResponseLost, reason))))
      }
    }
  }

  // MARK: Push

  private func openPush() {
    // A device may have a token of the time when its app wanted pushes.
    guard isOnline, device.coordinator.configuration.wantsPushes, let token = device.coordinator.pushToken else {
      return
    }
    push.open(token: token)
  }

  private func refused(_ reason: String) {
    guard push.token == device.coordinator.pushToken else {
      // The device has a newer token.
      push.close()
      return openPush()
    }
    switch reason {
    case "BadDeviceToken", "Unregistered": renounce(isTaken: false)
    case "Replaced": renounce(isTaken: true)
    default: return
    }
  }

  /// Disconnects from the push service because the token is not valid.
  private func renounce(isTaken: Bool) {
    push.close(because: "its token was refused")
    device.received(.pushTokenRefused(isTaken: isTaken))
  }
}
