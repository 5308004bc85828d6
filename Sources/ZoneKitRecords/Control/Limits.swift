/// The cloud's limits and habits that an emulator's user may choose (CloudKit Web Services, g; sync semantics, 7).
package struct Limits: Hashable, Sendable {
  /// How many records may hold a DELETE_SELF reference to one record; nil for any number.
  ///
  /// The documents say 750. An app that hangs its whole log on one record, as the reference app does, could not be
  /// emulated with that, so nil is the default and 750 a choice.
  package var dependents: Int?
  /// How old a commit has to be for feeds to show it, in milliseconds. Commit and visibility are apart in the real
  /// cloud, so that a push can come before the change that it is about (sync semantics, 2.4).
  package var visibleDelay: Int64 = 0
  /// Which tombstones a zone's feed has for those who ask without a token.
  package var firstFetchTombstones = FirstFetchTombstones.all
  /// How old a subscription has to be for changes to fire it, in milliseconds (sync semantics, 2.1). What was waiting is
  /// active at once in a cloud that starts anew.
  package var subscriptionIndexDelay: Int64 = 0
  /// What a subscription of the same content as another one is refused with; nil where it is welcome. The web services
  /// welcome it (CloudKit Web Services, b.8), the native SDK answers `serverRejectedRequest` (sync semantics, 2.1).
  package var duplicateSubscriptionError: CloudErrorCode?

  /// Which tombstones come to those who start from nothing. The web services show all (CloudKit Web Services, c.6), an
  /// engineer of the vendor's spoke of the device's own (sync semantics, 3.3). Records that are deleted while such a
  /// fetch goes from page to page are always listed.
  package enum FirstFetchTombstones: String, CaseIterable, Hashable, Sendable {
    /// None of the tombstones that were there when the fetch began.
    case none
    /// Those of records that the asking device created.
    case ownCreated
    /// All.
    case all
  }

  /// Limits with that many DELETE_SELF references to one record, and the product's own habits.
  package init(dependents: Int? = nil) { self.dependents = dependents }
}
