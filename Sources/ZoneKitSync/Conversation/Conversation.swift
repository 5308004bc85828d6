import ZoneKitRecords

/// What a device asks one kind of cloud in which order: the part of syncing that depends on the cloud's protocol.
///
/// A coordinator begins a sync and then carries out one step after the other: it sends what a step asks, and hands the
/// answer in for the next step. The conversation keeps the sync's phase and what is to be prepared before (such as a
/// subscription); it hands records to the ledger and asks it for what to send. It asks in `CloudRequest` values; what they
/// are on the wire is a matter of the adapter. A protocol without a feed of zones or without subscriptions never asks
/// for them.
///
/// Where a method throws, the store failed; the coordinator then calls `abandon`.
package protocol Conversation: Sendable {
  /// The app was launched: what holds on the cloud is to be checked anew. `isConfigured` and times come from the
  /// configuration.
  mutating func launched(_ configuration: CoordinatorConfiguration)

  /// Another account signed in: nothing that was found for the one before holds.
  mutating func accountChanged(_ configuration: CoordinatorConfiguration)

  /// The device took a new name, and has no push token any more.
  mutating func deviceRenamed(_ configuration: CoordinatorConfiguration)

  /// A sync begins.
  mutating func begin<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>, at now: Moment)

  /// What to ask next.
  mutating func next<Store: DeviceStore>(
    _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep

  /// The cloud answered what was asked last.
  mutating func received<Store: DeviceStore>(
    _ response: CloudResponse, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep

  /// There is no answer to what was asked last, or only an error for the request as a whole.
  mutating func failed<Store: DeviceStore>(
    _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep

  /// Changes came without the push that should have announced them.
  mutating func missedPush<Store: DeviceStore>(_ ledger: inout Ledger<Store>, at now: Moment)

  /// Whether this sync was the look at the feeds that a new subscription or push token calls for, so that no other is due.
  func hasSettled<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>) -> Bool

  /// The sync has ended well, and its end was kept. Returns whether the cloud listed changes that it did not show.
  mutating func ended<Store: DeviceStore>(
    _ session: SyncSession, _ ledger: inout Ledger<Store>, at now: Moment
  ) -> Bool

  /// The sync was given up. What it was for is known from the store.
  mutating func abandon()

  /// What a device is doing while it waits for the answer.
  var activity: ConversationActivity { get }
}

/// What a device is doing while it waits for an answer of the cloud.
package enum ConversationActivity: Hashable, Sendable {
  case fetching
  case sending
  case checkingSubscription
}
