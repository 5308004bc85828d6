extension PushGateway {
  /// What can be set about the push service's behaviour.
  package struct Policy: Hashable, Sendable {
    /// Whether anyone may watch a user's changes without a token.
    package var isOpen: Bool
    /// How often the device that made a change is told of it all the same, from 0 to 1 (sync semantics, 2.1).
    package var leakRate: Double
    /// How long a notification is stored for a device that is away, in milliseconds; 0 stores nothing.
    package var timeToLive: Int64
    /// How many notifications of different topics are held for a slow connection, at least 1.
    package var heldLimit: Int
    /// Which notification is stored for a device that is away where there are several.
    package var slot: SlotPolicy
    /// How long silent notifications for a connected device are gathered, from the first one on, before they go out in
    /// one burst, in milliseconds; 0 gathers none. One that the user sees ends the burst (sync semantics, 2.3:
    /// `apns-priority`).
    package var burstWindow: Int64
    /// Whether a device's new token ends its older ones for the same container and environment, and a token that ended is
    /// refused as `Unregistered` instead of `BadDeviceToken`. Registrations must then come in the order they were made,
    /// restored ones apart.
    package var retiresReplacedTokens: Bool

    /// 30 days (sync semantics, 2.3), in milliseconds.
    package static let thirtyDays: Int64 = 30 * 86_400_000

    /// APNs's own behaviour unless said otherwise.
    package init(
      isOpen: Bool = false, leakRate: Double = 0, timeToLive: Int64 = thirtyDays, heldLimit: Int = 64,
      slot: SlotPolicy = .newest, burstWindow: Int64 = 0, retiresReplacedTokens: Bool = false
    ) {
      precondition((0...1).contains(leakRate), "a leak rate is a share, from 0 to 1")
      precondition(timeToLive >= 0, "a time to live is not negative")
      precondition(heldLimit >= 1, "a slow connection holds at least one notification")
      precondition(burstWindow >= 0, "a window for bursts is not negative")
      self.isOpen = isOpen
      self.leakRate = leakRate
      self.timeToLive = timeToLive
      self.heldLimit = heldLimit
      self.slot = slot
      self.burstWindow = burstWindow
      self.retiresReplacedTokens = retiresReplacedTokens
    }
  }
}
