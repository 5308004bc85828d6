import ZoneKitRecords

/// The state of one device at one time, for finding the cause of a failure.
///
/// Times are those of the device's wall clock unless stated otherwise. A time is nil if the event never happened.
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
  /// The state of pushes.
  public var push: Push
  /// The last completed fetch.
  public var fetch: Fetch
  /// The state of sending.
  public var send: Send
  /// The result of the last check of the subscription.
  public var subscription: Subscription
  /// The conflicts between edits.
  public var conflicts: Conflicts
  /// The difference of the cloud's clock from the device's, in milliseconds; nil if unknown.
  public var clockOffset: Int64?
  /// The number of records of each type that the device shows, in ascending order of types, without the conflict
  /// journal's zone.
  public var counts: [Count]
  /// The traces of the latest changes, newest first.
  public var traces: [ChangeTrace]

  /// The state of pushes.
  public struct Push: Hashable, Sendable {
    /// When the last push was received.
    public var lastReceivedAt: WallTime?
    /// The last push's notification ID; nil if it had none.
    public var lastNotificationID: String?
    /// When the push service sent the last push, by its clock.
    public var lastSentAt: WallTime?
    /// When a sync that a push caused last ended.
    public var lastHandledAt: WallTime?
    /// When a sync that a push caused last changed something that the user sees.
    public var lastLedToChangeAt: WallTime?
    /// The number of received pushes, including those below.
    public var received: Int64
    /// The number of pushes with an already known notification ID.
    public var duplicates: Int64
    /// The number of pushes for a subscription other than the device's.
    public var unknownSubscription: Int64
    /// The number of pushes for another account.
    public var otherAccount: Int64
    /// The number of pushes without a notification ID.
    public var withoutID: Int64
    /// Whether changes arrived without the push that should have announced them, and no push since then.
    public var drought: Bool
    /// The connection to the push service; nil for a device that needs none.
    public var socket: Socket?
  }

  /// A device's connection to the push service, as the device sees it.
  public struct Socket: Hashable, Sendable {
    /// Whether the push service has welcomed the device and the connection is open.
    public var isConnected: Bool
    /// Since when; nil if unknown.
    public var since: WallTime?
    /// Why it is not connected, in a few words; nil if it is.
    public var reason: String?

    /// Why a device that knows that it has no link is not connected.
    package static let noLink = "the device is offline"

    /// The state of a connection.
    public init(isConnected: Bool, since: WallTime? = nil, reason: String? = nil) {
      self.isConnected = isConnected
      self.since = since
      self.reason = reason
    }

    /// The state in words, as in `not connected since 2026-11-21T08:00:00.000Z, connection refused`. `time` writes the time.
    package func words(_ time: (WallTime) -> String = { $0.iso8601 }) -> String {
      (isConnected ? "connected" : "not connected") + (since.map { " since \(time($0))" } ?? "")
        + (reason.map { ", \($0)" } ?? "")
    }
  }

  /// The last completed fetch.
  public struct Fetch: Hashable, Sendable {
    /// When it began.
    public var lastStartedAt: WallTime?
    /// When it ended, successfully or not.
    public var lastFinishedAt: WallTime?
    /// When the last successful fetch ended.
    public var lastSucceededAt: WallTime?
    /// Names of `SyncReason`, joined by `+`.
    public var lastReason: String?
    /// `ok`, or an error's code and its sentence.
    public var lastResult: String?
    /// The number of records that it brought.
    public var records: Int64
    /// The number of pages.
    public var pages: Int64
    /// The age of the database token in milliseconds; nil if the database's feed has to be read from its beginning.
    public var tokenAge: Int64?
  }

  /// The state of sending.
  public struct Send: Hashable, Sendable {
    /// When the cloud last answered a send.
    public var lastAt: WallTime?
    /// The number of pending records, including those in quarantine.
    public var pending: Int
    /// The time since which the oldest pending record waits.
    public var oldestPendingAt: WallTime?
    /// The records in quarantine, in ascending order.
    public var quarantined: [Quarantined]
    /// The time until which the cloud has asked for a pause.
    public var retryAfter: WallTime?
  }

  /// A record that is not sent, with the reason.
  public struct Quarantined: Hashable, Sendable {
    /// The record.
    public var recordID: RecordID
    /// The reason.
    public var reason: String
  }

  /// The result of the last check of the subscription.
  public struct Subscription: Hashable, Sendable {
    /// The known state of the subscription.
    public enum State: String, CaseIterable, Hashable, Sendable {
      /// Not checked since the launch.
      case unknown
      /// Being checked.
      case pending
      /// The cloud has it.
      case active
      /// The last check failed.
      case failed
    }

    /// The subscription's ID.
    public var id: String?
    /// The known state.
    public var state: State
    /// How the subscription came into being.
    public var origin: SubscriptionCheck.Origin?
    /// When the cloud was last known to have it.
    public var verifiedAt: WallTime?
    /// The error of the last check.
    public var error: String?
  }

  /// The conflicts between edits.
  public struct Conflicts: Hashable, Sendable {
    /// The number of conflicts that this device decided or that others reported to it.
    public var total: Int64
    /// The latest conflicts, newest first, at most `conflictLimit`.
    public var last: [ConflictEntry]
    /// The name of a record that devices keep overwriting.
    public var storm: String?
  }

  /// The number of records of a type.
  public struct Count: Hashable, Sendable {
    /// The type.
    public var recordType: Name
    /// The number.
    public var count: Int
  }
}
