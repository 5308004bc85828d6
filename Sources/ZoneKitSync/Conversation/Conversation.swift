import ZoneKitRecords

/// The part of syncing that depends on the cloud's protocol: which requests a device sends, and in which order.
///
/// A coordinator begins a sync and then carries out one step after another: it sends the request of a step and passes
/// the answer in for the next step. The conversation holds the phase of the sync and prepares what the protocol needs,
/// such as a subscription. It passes records to the ledger and gets what to send from it. Its requests are
/// `CloudRequest` values; an adapter converts them for the network. A protocol without a database feed or without
/// subscriptions does not use those requests.
///
/// If a method throws, the store failed. The coordinator then calls `abandon`.
package protocol Conversation: Sendable {
  /// The app was launched. What was verified on the cloud has to be checked again.
  mutating func launched(_ configuration: CoordinatorConfiguration)

  /// Another account signed in. Nothing that was verified for the previous one is valid.
  mutating func accountChanged(_ configuration: CoordinatorConfiguration)

  /// The device has no push token any more.
  mutating func pushTokenDropped(_ configuration: CoordinatorConfiguration)

  /// The push service accepted the device's push token.
  mutating func pushTokenAccepted(at now: Moment)

  /// The push service refused the device's push token. Returns the pause before a new one is registered, in
  /// milliseconds.
  mutating func pushTokenRefused(_ configuration: CoordinatorConfiguration, at now: Moment) -> Int64

  /// Begins a sync.
  mutating func begin<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>, at now: Moment)

  /// The next step: what to request.
  mutating func next<Store: DeviceStore>(
    _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep

  /// The cloud's answer to the last request arrived. Returns the next step.
  mutating func received<Store: DeviceStore>(
    _ response: CloudResponse, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep

  /// The last request failed as a whole or got no answer. Returns the next step.
  mutating func failed<Store: DeviceStore>(
    _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep

  /// Changes arrived without the push that should have announced them.
  mutating func missedPush<Store: DeviceStore>(_ ledger: inout Ledger<Store>, at now: Moment)

  /// Whether this sync was the fetch that a new subscription or push token requires.
  func hasSettled<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>) -> Bool

  /// The sync has succeeded and this is stored. Returns whether the cloud listed changes that its feeds did not show.
  mutating func ended<Store: DeviceStore>(
    _ session: SyncSession, _ ledger: inout Ledger<Store>, at now: Moment
  ) -> Bool

  /// The sync ended with a setback of single zones, and is tried again at that time. Returns when the first zone may be
  /// asked again, which is earlier if another sync held it; nil if none is held.
  mutating func setBack(until time: MonotonicTime) -> MonotonicTime?

  /// Ends the sync early. Its purpose can be derived from the store.
  mutating func abandon()

  /// Whether the cloud has a feed of the database that lists the zones with changes. Otherwise every fetch reads the
  /// zones' feeds directly.
  func readsDatabaseFeed(_ configuration: CoordinatorConfiguration) -> Bool

  /// Whether the cloud notifies devices of changes. Otherwise a device learns of them when it fetches.
  var usesPushes: Bool { get }

  /// The device's activity while it waits for the answer.
  var activity: ConversationActivity { get }
}

extension Conversation {
  /// There is no push token.
  package mutating func pushTokenAccepted(at now: Moment) {}

  /// There is no push token.
  package mutating func pushTokenRefused(_ configuration: CoordinatorConfiguration, at now: Moment) -> Int64 { 0 }

  /// Zones are not held one by one.
  package mutating func setBack(until time: MonotonicTime) -> MonotonicTime? { nil }
}

/// An activity of a device while it waits for an answer.
package enum ConversationActivity: Hashable, Sendable {
  case fetching
  case sending
  case checkingSubscription
}
