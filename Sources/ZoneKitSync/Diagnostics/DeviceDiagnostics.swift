import ZoneKitRecords

/// The state of one device at one moment, for people who look for the cause of a failure.
///
/// Times are those of the device's wall clock unless said otherwise; nil where the thing never happened.
public struct DeviceDiagnostics: Hashable, Sendable {
  /// The most conflicts that are shown.
  public static let conflictLimit = 20
  /// The most traces that are shown; a store keeps no more.
  public static let traceLimit = 100

  /// The device's name.
  public var name: String
  /// The account whose data the device holds; nil while signed out.
  public var user: Name?
  /// What the device is doing.
  public var state: LiveState
  /// The last pushes, and how many there were.
  public var push: Push
  /// The last fetch that ended.
  public var fetch: Fetch
  /// What was sent and what waits.
  public var send: Send
  /// What the last check of the subscription found.
  public var subscription: Subscription
  /// How conflicts between edits ended.
  public var conflicts: Conflicts
  /// The cloud's clock minus the device's in milliseconds; nil as long as nobody knows.
  public var clockOffset: Int64?
  /// How many records of each type the device shows, ascending by type; the conflict journal's zone is left out.
  public var counts: [Count]
  /// The ways that the last changes took, newest first.
  public var traces: [ChangeTrace]

  /// The last pushes, and how many there were.
  public struct Push: Hashable, Sendable {
    /// When the last push came.
    public var lastReceivedAt: WallTime?
    /// The last push's notification ID; nil where it had none.
    public var lastNotificationID: String?
    /// By the push service's clock.
    public var lastSentAt: WallTime?
    /// When the sync that a push asked for had ended.
    public var lastHandledAt: WallTime?
    /// When a sync that a push asked for had shown the user something new.
    public var lastLedToChangeAt: WallTime?
    /// How many pushes came, those below included.
    public var received: Int64
    /// How many of them had come before.
    public var duplicates: Int64
    /// How many of them were of another subscription than the device's.
    public var unknownSubscription: Int64
    /// How many of them were for another account.
    public var otherAccount: Int64
    /// How many of them had no notification ID.
    public var withoutID: Int64
    /// Whether changes came without the push that should have announced them, and none came since.
    public var drought: Bool
  }

  /// The last fetch that ended.
  public struct Fetch: Hashable, Sendable {
    /// When it began.
    public var lastStartedAt: WallTime?
    /// When it ended, well or not.
    public var lastFinishedAt: WallTime?
    /// When one ended well last.
    public var lastSucceededAt: WallTime?
    /// Names of `SyncReason`, joined by `+`.
    public var lastReason: String?
    /// `ok`, or an error's code and its sentence.
    public var lastResult: String?
    /// How many records it brought.
    public var records: Int64
    /// How many pages it took.
    public var pages: Int64
    /// How long ago the database's feed was read last, in milliseconds; nil where it has to be read from the beginning.
    public var tokenAge: Int64?
  }

  /// What was sent and what waits.
  public struct Send: Hashable, Sendable {
    /// When the cloud answered a send last.
    public var lastAt: WallTime?
    /// How many records wait, those in quarantine included.
    public var pending: Int
    /// Since when the record that waits longest does.
    public var oldestPendingAt: WallTime?
    /// Ascending by record.
    public var quarantined: [Quarantined]
    /// Until when the cloud asked to be left alone.
    public var retryAfter: WallTime?
  }

  /// A record that is not sent, and why.
  public struct Quarantined: Hashable, Sendable {
    /// The record.
    public var recordID: RecordID
    /// Why it is kept back.
    public var reason: String
  }

  /// What the last check of the subscription found.
  public struct Subscription: Hashable, Sendable {
    /// How sure the device is of its subscription.
    public enum State: String, CaseIterable, Hashable, Sendable {
      /// Not checked since the launch.
      case unknown
      /// Being checked.
      case pending
      /// The cloud holds it.
      case active
      /// The last check failed.
      case failed
    }

    /// The subscription's ID.
    public var id: String?
    /// How sure the device is of it.
    public var state: State
    /// How it came to be.
    public var origin: SubscriptionCheck.Origin?
    /// When the cloud was last seen to hold it.
    public var verifiedAt: WallTime?
    /// Why the last check failed.
    public var error: String?
  }

  /// How conflicts between edits ended.
  public struct Conflicts: Hashable, Sendable {
    /// How many were decided or heard of.
    public var total: Int64
    /// Newest first, at most `conflictLimit`.
    public var last: [ConflictEntry]
    /// The name of the record that two devices keep overwriting.
    public var storm: String?
  }

  /// How many records of a type there are.
  public struct Count: Hashable, Sendable {
    /// The type.
    public var recordType: Name
    /// How many.
    public var count: Int
  }
}
