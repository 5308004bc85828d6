import ZoneKitRecords
import ZoneKitSync

/// A device's connection to the push service. It is made for the device's push token, lasts while the device has a link, and
/// is made again after a pause when it ends. It belongs to the device and stays while the app does not run.
struct PushConnection: Hashable, Sendable {
  /// An instruction to the driver.
  enum Effect: Hashable, Sendable {
    /// Connect with that token.
    case connect(token: String)
    /// Close the connection, for that reason. Nothing of it is passed on any more.
    case close(reason: String)
  }

  private enum State: Hashable {
    case closed
    case open(token: String)
    /// The connection ended. The device connects again at that time.
    case waiting(token: String, until: MonotonicTime)
    /// The push service refused that token.
    case refused(token: String)
  }

  private var state = State.closed
  private var pace = ReconnectPace()

  /// When `tick` connects; nil if only an event can.
  var nextDeadline: MonotonicTime? { if case .waiting(_, let until) = state { until } else { nil } }

  /// The token of the connection; nil if there is none.
  var token: String? { if case .open(let token) = state { token } else { nil } }

  /// The device has that token and a link. It connects unless it is connected with the token, waits to be, or learned that
  /// it is not valid.
  mutating func wants(_ token: String) -> [Effect] {
    switch state {
    case .open(token), .waiting(token, _), .refused(token): return []
    case .open: return [.close(reason: "it is connecting")] + connect(token)
    case .closed, .waiting, .refused: return connect(token)
    }
  }

  /// The app was launched. It may not have learned that its token was refused, so the token is tried again.
  mutating func launched() { if case .refused = state { state = .closed } }

  /// The push service accepted the token. Returns whether it is the first time on this connection.
  mutating func welcomed(at now: MonotonicTime) -> Bool { pace.welcomed(at: now) }

  /// The connection ended or was not made.
  mutating func ended(at now: MonotonicTime) {
    if case .open(let token) = state { wait(for: token, at: now) }
  }

  /// The push service refused the token and closed the connection.
  mutating func refused() { if case .open(let token) = state { state = .refused(token: token) } }

  /// The device has its refused token still, because its store failed.
  mutating func keptRefused(at now: MonotonicTime) {
    if case .refused(let token) = state { wait(for: token, at: now) }
  }

  /// The device lost its link, or its process ended with its connections.
  mutating func cut(because reason: String) -> [Effect] {
    defer { state = .closed }
    return token == nil ? [] : [.close(reason: reason)]
  }

  /// Time has passed, and the device has that token, or none if nil.
  mutating func tick(at now: MonotonicTime, with current: String?) -> [Effect] {
    guard case .waiting(let token, let until) = state, until <= now else { return [] }
    guard token == current else {
      state = .closed
      return []
    }
    return connect(token)
  }

  private mutating func connect(_ token: String) -> [Effect] {
    state = .open(token: token)
    pace.connectedAnew()
    return [.connect(token: token)]
  }

  private mutating func wait(for token: String, at now: MonotonicTime) {
    state = .waiting(token: token, until: now.advanced(byMilliseconds: pace.next(at: now)))
  }
}

/// Why a connection to the push service ended.
package enum PushEnd: Hashable, Sendable {
  /// It was lost, could not be made, or the service closed it for another reason.
  case lost
  /// The service refused the token because it is not valid.
  case refused
  /// The service refused the token because another device has it.
  case taken
}
