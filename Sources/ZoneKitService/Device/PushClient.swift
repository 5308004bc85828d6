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

  /// A client of the push socket at that address, for that device.
  init(address: Address, device: String, loop: Loop) {
    self.address = address
    self.device = device
    self.loop = loop
  }

  /// Connects with that token and stays connected until `close`.
  func open(token: String) {
    if case .open = state, token == self.token { return }
    close()
    self.token = token
    connect()
  }

  /// The same after a pause.
  func openLater(token: String) {
    close()
    self.token = token
    comeBack()
  }

  /// Closes the connection and stops reconnecting.
  func close() {
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
    stream.onClose = { [weak self] _ in self?.ended(stream) }
  }

  private func received(_ line: PushLine, on stream: Connection) {
    switch line {
    case .welcome: if pace.welcomed(at: now) { onWelcome?() }
    case .error(let reason, let message):
      onRefusal?(reason, message ?? "")
      stream.close()
    case .notification(let notification): onNotification?(notification)
    }
  }

  private func ended(_ stream: Connection) {
    if isCurrent(stream) { comeBack() }
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
