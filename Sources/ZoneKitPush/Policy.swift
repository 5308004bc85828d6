extension PushGateway {
  /// The settings of the push service.
  package struct Policy: Hashable, Sendable {
    /// Whether clients may watch a user's changes without a token.
    package var isOpen: Bool
    /// The share of changes whose push also goes to the device that made the change, from 0 to 1 (sync semantics, 2.1).
    package var leakRate: Double
    /// How long a notification is stored for a device that is not connected, in milliseconds; 0 stores none.
    package var timeToLive: Int64
    /// The number of notifications of different topics that are held for a slow connection, at least 1.
    package var heldLimit: Int
    /// Which of several notifications is stored for a device that is not connected.
    package var slot: SlotPolicy
    /// How long silent notifications for a connected device are collected, from the first one on, before they are sent
    /// as one burst, in milliseconds; 0 for not at all. A visible notification ends the burst (sync semantics, 2.3:
    /// `apns-priority`).
    package var burstWindow: Int64
    /// Whether a new token of a device invalidates its older ones for the same container and environment, and whether
    /// an invalidated token is refused as `Unregistered` instead of `BadDeviceToken`. If true, registrations must
    /// arrive in the order in which they were made, except restored ones.
    package var retiresReplacedTokens: Bool

    /// 30 days (sync semantics, 2.3), in milliseconds.
    package static let thirtyDays: Int64 = 30 * 86_400_000

    /// A policy; the defaults are APNs' behaviour.
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
