import ZoneKitDeviceProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitSync
import ZoneKitWire

/// A device's connection to the push socket. It sends the hello, and reports notifications and its end.
final class PushClient {
  /// Called when the push service accepts the hello. The service may have dropped earlier notifications.
  var onWelcome: (() -> Void)?
  /// Called with a received notification.
  var onNotification: ((PushNotification) -> Void)?
  /// Called when the connection has ended or was not made, unless `close` ended it.
  var onEnd: ((PushEnd) -> Void)?

  private let address: Address
  private let device: String
  private let loop: Loop
  private var stream: Connection?

  /// The state of the connection, for reports.
  private(set) var socket = DeviceDiagnostics.Socket(isConnected: false, reason: "it has no push token yet")
  private let wall: () -> WallTime

  /// A client of the push socket at that address, for that device. `wall` is the device's time.
  init(address: Address, device: String, loop: Loop, wall: @escaping () -> WallTime) {
    self.address = address
    self.device = device
    self.loop = loop
    self.wall = wall
  }

  /// Connects with that token.
  func open(token: String) {
    let stream = Connection(to: address, on: loop)
    var reader = LineReader()
    self.stream = stream
    stream.write(PushHello.token(token, device: device).line)
    stream.onRead = { [weak self] bytes in
      reader.append(bytes)
      do throws(PushLineError) {
        while self?.stream === stream, let line = try reader.next() { self?.received(try PushLine(line: line)) }
      } catch {
        self?.end(.lost, because: "\(error)")
      }
    }
    stream.onClose = { [weak self] reason in if self?.stream === stream { self?.ended(reason) } }
  }

  /// Closes the connection.
  func close(because reason: String = "it is closed") {
    disconnected(reason)
    stream.take()?.close()
  }

  private func received(_ line: PushLine) {
    switch line {
    case .welcome:
      socket = DeviceDiagnostics.Socket(isConnected: true, since: wall())
      onWelcome?()
    case .error(let reason, _):
      let why = "refused as \(reason)"
      switch reason {
      case "BadDeviceToken", "Unregistered": end(.refused, because: why)
      case "Replaced": end(.taken, because: why)
      default: end(.lost, because: why)
      }
    case .notification(let notification): onNotification?(notification)
    }
  }

  private func ended(_ reason: CloseReason) {
    switch reason {
    case .failed(let error): end(.lost, because: error.message)
    case .endedByPeer: end(.lost, because: "the server ended the connection")
    // What closed it has said why.
    case .closedHere: break
    }
  }

  private func end(_ end: PushEnd, because reason: String) {
    close(because: reason)
    onEnd?(end)
  }

  /// Notes why there is no connection. The time is that at which the last connection ended or the first attempt failed.
  private func disconnected(_ reason: String) {
    let since = socket.isConnected || socket.since == nil ? wall() : socket.since
    socket = DeviceDiagnostics.Socket(isConnected: false, since: since, reason: reason)
  }
}
