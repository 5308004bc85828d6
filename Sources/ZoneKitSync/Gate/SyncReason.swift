/// Why a sync was asked for. Every sync has at least one reason; there is no polling.
public enum SyncReason: String, CaseIterable, Hashable, Sendable {
  /// The app was launched.
  case launch
  /// A push arrived.
  case push
  /// The user brought the app to the foreground.
  case foreground
  /// The app saved or deleted a record.
  case localChange
  /// The link to the cloud or to the push service came back.
  case reconnect
  /// The user asked for a sync.
  case manual
  /// Another account signed in.
  case account
  /// The subscription or the push token was just made, before which no push was; or pushes that should have come are missing.
  case subscription
  /// No fetch succeeded for a day.
  case fallback
  /// The wait after a failed sync is over.
  case retry
  /// A push, or a zone that the database's feed lists, yielded nothing: the change may not be visible yet.
  case emptyPush
  /// The store was reset.
  case reset

  /// Whether the sync need not wait for others to join it.
  public var skipsDebounce: Bool {
    switch self {
    case .launch, .foreground, .reconnect, .manual, .account, .fallback, .retry, .emptyPush, .reset, .subscription: true
    case .push, .localChange: false
    }
  }

  /// Whether the sync may start during the coordinator's own back-off; a retry time of the cloud holds for all reasons. A
  /// new link ends the back-off; a push line that comes and goes does not.
  public var skipsBackoff: Bool { self == .manual || self == .account }
}

/// The reasons of one sync.
public struct SyncReasons: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt32 = 0

  /// These reasons.
  public init(arrayLiteral reasons: SyncReason...) {
    for reason in reasons { insert(reason) }
  }

  /// The reasons in the order in which `SyncReason` lists them.
  public var list: [SyncReason] { SyncReason.allCases.filter(contains) }

  /// Whether the reason is among them.
  public func contains(_ reason: SyncReason) -> Bool { bits & Self.bit(reason) != 0 }

  /// Adds a reason.
  public mutating func insert(_ reason: SyncReason) { bits |= Self.bit(reason) }

  /// Adds those of another sync.
  public mutating func formUnion(_ other: SyncReasons) { bits |= other.bits }

  /// The reasons' names, joined by `+`.
  public var text: String { list.map(\.rawValue).joined(separator: "+") }

  private static func bit(_ reason: SyncReason) -> UInt32 {
    1 << UInt32(SyncReason.allCases.firstIndex(of: reason) ?? 31)
  }
}
