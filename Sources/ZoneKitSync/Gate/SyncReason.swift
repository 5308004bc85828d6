/// The reason for a sync. Every sync has at least one reason; there is no polling.
public enum SyncReason: String, CaseIterable, Hashable, Sendable {
  /// The app was launched.
  case launch
  /// A push arrived.
  case push
  /// The user brought the app to the foreground.
  case foreground
  /// The app saved or deleted a record.
  case localChange
  /// The link to the cloud or to the push service was restored.
  case reconnect
  /// The user requested a sync.
  case manual
  /// Another account signed in.
  case account
  /// The subscription or the push token is new, so earlier changes made no pushes; or pushes are missing.
  case subscription
  /// There was no successful fetch for a day.
  case fallback
  /// The waiting time after a failed sync is over.
  case retry
  /// A push, or an entry of the database's feed, announced changes that the zone's feed does not show yet.
  case emptyPush
  /// The store was reset.
  case reset
  /// The system granted time in the background. The sync ends with that time, finished or not.
  case refresh
  /// The app left the foreground. The sync only sends local changes, and starts only if there are any.
  case background

  /// Whether the sync starts without waiting for further requests.
  public var skipsDebounce: Bool {
    switch self {
    case .launch, .foreground, .reconnect, .manual, .account, .fallback, .retry, .emptyPush, .reset, .subscription,
      .refresh, .background:
      true
    case .push, .localChange: false
    }
  }

  /// Whether the coordinator itself finds the reason, and neither the user, the system nor a change of account or link.
  var isOwn: Bool {
    switch self {
    case .push, .localChange, .fallback, .retry, .emptyPush, .subscription: true
    case .launch, .foreground, .reconnect, .manual, .account, .reset, .refresh, .background: false
    }
  }

  /// Whether the sync may start during the coordinator's own back-off. A retry time of the cloud applies to all
  /// reasons. A new link ends the back-off; a reconnected push socket does not.
  public var skipsBackoff: Bool { self == .manual || self == .account }
}

/// The reasons for one sync.
public struct SyncReasons: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt32 = 0

  /// A set of these reasons.
  public init(arrayLiteral reasons: SyncReason...) {
    for reason in reasons { insert(reason) }
  }

  /// The reasons in the order of `SyncReason.allCases`.
  public var list: [SyncReason] { SyncReason.allCases.filter(contains) }

  /// Whether the reason is in the set.
  public func contains(_ reason: SyncReason) -> Bool { bits & Self.bit(reason) != 0 }

  /// Adds a reason.
  public mutating func insert(_ reason: SyncReason) { bits |= Self.bit(reason) }

  /// Removes a reason.
  mutating func remove(_ reason: SyncReason) { bits &= ~Self.bit(reason) }

  /// Adds the reasons of another set.
  public mutating func formUnion(_ other: SyncReasons) { bits |= other.bits }

  /// Whether the sync sends local changes because the app left the foreground, and does nothing else.
  package var areOfLeaving: Bool { self == [.background] || self == [.background, .localChange] }

  /// Whether local changes alone cause the sync.
  package var areOfEdits: Bool { self == [.localChange] || areOfLeaving }

  /// The names of the reasons, joined by `+`.
  public var text: String { list.map(\.rawValue).joined(separator: "+") }

  private static func bit(_ reason: SyncReason) -> UInt32 {
    1 << UInt32(SyncReason.allCases.firstIndex(of: reason) ?? 31)
  }
}
