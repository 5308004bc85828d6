import ZoneKitRecords
import ZoneKitSync

/// The connection to the push service.
extension DeviceProcess {
  /// The token of the connection to the push service; nil if there is none.
  package var connectedPushToken: String? { push.token }

  // MARK: Events

  /// The push service accepted the token.
  package mutating func pushWelcomed(at now: MonotonicTime) {
    if push.welcomed(at: now) { deliver(.pushConnected, at: now) }
  }

  /// The connection ended, and the driver has closed it. A token that the device replaced meanwhile means nothing.
  package mutating func pushEnded(_ end: PushEnd, at now: MonotonicTime) {
    guard end != .lost else { return push.ended(at: now) }
    let isCurrent = connectedPushToken == coordinator.pushToken
    push.refused()
    if isCurrent { deliver(.pushTokenRefused(isTaken: end == .taken), at: now) } else { add(pushSteps()) }
  }

  /// The device lost its link or got it back. A suspended app learns of it when it resumes.
  package mutating func linkChanged(isOnline: Bool, at now: MonotonicTime) {
    guard isOnline != hasLink else { return }
    hasLink = isOnline
    add(isOnline ? pushSteps() : cutPush(because: DeviceDiagnostics.Socket.noLink))
    deliver(.linkChanged(isOnline: isOnline), at: now)
  }

  private mutating func deliver(_ message: DeviceMessage, at now: MonotonicTime) {
    if let message = arrived(message) { receive(message, at: now) }
  }

  // MARK: Steps

  /// Connects if the device has a link and a token for which it is not connected. A device may have a token of the time when
  /// its app wanted pushes.
  mutating func pushSteps() -> [Step] {
    guard hasLink, coordinator.configuration.wantsPushes, let token = coordinator.pushToken else { return [] }
    return push.wants(token).map { .push($0) }
  }

  /// Connects again after a pause, if that is over.
  mutating func duePushSteps(at now: MonotonicTime) -> [Step] {
    push.tick(at: now, with: coordinator.pushToken).map { .push($0) }
  }

  mutating func cutPush(because reason: String) -> [Step] { push.cut(because: reason).map { .push($0) } }

  /// The device's end of the connection is gone with the process.
  mutating func restartPush() -> [Step] {
    defer { push = PushConnection() }
    return cutPush(because: "the device was restarted")
  }

  mutating func carryOut(_ effect: PushConnection.Effect) -> DeviceEffect {
    switch effect {
    case .connect(let token): .connectPush(token: token)
    case .close(let reason): .closePush(reason: reason)
    }
  }
}
