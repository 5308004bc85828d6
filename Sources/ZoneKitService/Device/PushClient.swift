import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitSync
import ZoneKitWire

/// A device's connection to the push socket. It sends the hello, passes notifications on, and reconnects after a lost
/// connection, with growing pauses up to a limit.
final class PushClient {
  /// Called when the push service accepts the hello. The service may have dropped earlier notifications.
  var onWelcome: (() -> Void)?
  /// Called with a received notification.
  var onNotification: ((PushNotification) -> Void)?
  /// Called when the push service refuses the token or gives a reason for closing the connection: a name and a
  /// sentence.
  var onRefusal: ((_ reason: String, _ message: String) -> Void)?

  private enum State {
    case closed
    case open(Connection)
    case waiting
  }

  private let address: Address
  private let device: String
  private let loop: Loop
  /// The token of the connection; nil while closed.
  private(set) var token: String?
  private var state = State.closed
  private var pace = ReconnectPace()
  private var retry: Timer?

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

  /// Connects with that token and stays connected until `close`.
  func open(token: String) {
    if case .open = state, token == self.token { return }
    close(because: "it is connecting")
    self.token = token
    connect()
  }

  /// The same after a pause.
  func openLater(token: String) {
    close(because: "its token was refused")
    self.token = token
    comeBack()
  }

  /// Closes the connection and stops reconnecting.
  func close(because reason: String = "it is closed") {
    disconnected(reason)
    let old = state
    state = .closed
    token = nil
    retry?.close()
    retry = nil
    if case .open(let stream) = old { stream.close() }
  }

  private func connect() {
    guard let token else { return }
    let stream = Connection(to: address, on: loop)
    var reader = LineReader()
    state = .open(stream)
    pace.connectedAnew()
    stream.write(PushHello.token(token, device: device).line)
    stream.onRead = { [weak self] bytes in
      reader.append(bytes)
      do throws(PushLineError) {
        while self?.isCurrent(stream) == true, let line = try reader.next() {
          self?.received(try PushLine(line: line), on: stream)
        }
      } catch {
        self?.onRefusal?("BadMessage", "\(error)")
        stream.close()
      }
    }
    stream.onClose = { [weak self] in self?.ended(stream, $0) }
  }

  private func received(_ line: PushLine, on stream: Connection) {
    switch line {
    case .welcome:
      socket = DeviceDiagnostics.Socket(isConnected: true, since: wall())
      if pace.welcomed(at: now) { onWelcome?() }
    case .error(let reason, let message):
      disconnected("refused as \(reason)")
      onRefusal?(reason, message ?? "")
      stream.close()
    case .notification(let notification): onNotification?(notification)
    }
  }

  private func ended(_ stream: Connection, _ reason: CloseReason) {
    guard isCurrent(stream) else { return }
    switch reason {
    case .failed(let error): disconnected(error.message)
    case .endedByPeer: disconnected("the server ended the connection")
    // What closed it has said why.
    case .closedHere: break
    }
    comeBack()
  }

  /// Notes why there is no connection. The time is that at which the last connection ended or the first attempt failed.
  private func disconnected(_ reason: String) {
    let since = socket.isConnected || socket.since == nil ? wall() : socket.since
    socket = DeviceDiagnostics.Socket(isConnected: false, since: since, reason: reason)
  }

  private func isCurrent(_ stream: Connection) -> Bool {
    if case .open(let current) = state { current === stream } else { false }
  }

  private func comeBack() {
    state = .waiting
    let timer = Timer(on: loop) { [weak self] in
      self?.retry?.close()
      self?.retry = nil
      self?.connect()
    }
    retry = timer
    timer.schedule(after: pace.next(at: now))
  }

  private var now: MonotonicTime { MonotonicTime(milliseconds: loop.now) }
}
