/// The limits and variable behaviour of the cloud (CloudKit Web Services, g; sync semantics, 7).
package struct Limits: Hashable, Sendable {
  /// The most records that may have a DELETE_SELF reference to one record; nil for no limit.
  ///
  /// The documentation has a limit of 750. An app in which a whole log refers to one record, like the reference app,
  /// exceeds it, so the default is nil.
  package var dependents: Int?
  /// The most records that one request may change because they depend on those that it names. What would be more is
  /// refused before anything is changed, because other clients wait while a request is carried out.
  package var cascade = 50_000
  /// The size of a page of a zone's feed in bytes: it ends before the record that would exceed it. The first record is
  /// always in the page. A server without room for large answers makes smaller pages.
  package var pageBytes = 3 << 20
  /// The age in milliseconds from which feeds show a commit. In the real cloud a commit becomes visible later than it
  /// is made, so a push can arrive before its change is visible (sync semantics, 2.4).
  package var visibleDelay: Int64 = 0
  /// The tombstones that a fetch of a zone's feed without a token gets.
  package var firstFetchTombstones = FirstFetchTombstones.all
  /// The age in milliseconds from which changes fire a subscription (sync semantics, 2.1). After a restart of the
  /// cloud, all subscriptions fire immediately.
  package var subscriptionIndexDelay: Int64 = 0
  /// The error that refuses a subscription with the same content as another one; nil to allow it. The web services
  /// allow it (CloudKit Web Services, b.8); the native SDK answers `serverRejectedRequest` (sync semantics, 2.1).
  package var duplicateSubscriptionError: CloudErrorCode?

  /// The most bytes of an asset (CloudKit Web Services, g).
  package var assetBytes = 50 << 20
  /// How long an asset can be uploaded after `assets/upload`, in milliseconds (CloudKit Web Services, g).
  package var uploadTime: Int64 = 15 * 60_000
  /// How long an asset that no record has is kept after its upload, in milliseconds. So long its receipt can be saved.
  package var unusedAssetTime: Int64 = 24 * 3_600_000

  /// The tombstones that a fetch without a token gets. The web services return all (CloudKit Web Services, c.6); an
  /// engineer of the vendor described only the device's own (sync semantics, 3.3). Records that are deleted between two
  /// pages of such a fetch are always listed.
  package enum FirstFetchTombstones: String, CaseIterable, Hashable, Sendable {
    /// None of the tombstones that existed when the fetch began.
    case none
    /// The tombstones of records that the requesting device created.
    case ownCreated
    /// All tombstones.
    case all
  }

  /// The default limits, with that limit of DELETE_SELF references.
  package init(dependents: Int? = nil) { self.dependents = dependents }
}
