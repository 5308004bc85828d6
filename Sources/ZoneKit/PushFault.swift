import ZoneKitSimulator

/// What can happen to a push on its way to a device.
public enum PushFault: Hashable, Sendable {
  /// It never arrives.
  case drop
  /// It arrives twice.
  case duplicate
  /// It arrives that much later.
  case delay(Duration)
  /// It waits until the next one has gone by.
  case swap
  /// It arrives without its notification ID, as a push does that was too large.
  case prune
  /// It names a subscription that does not exist.
  case misaddress

  var simulated: PushFaults.Fault {
    switch self {
    case .drop: .drop
    case .duplicate: .duplicate
    case .delay(let delay): .delay(delay.milliseconds)
    case .swap: .swap
    case .prune: .prune
    case .misaddress: .misaddress
    }
  }
}
