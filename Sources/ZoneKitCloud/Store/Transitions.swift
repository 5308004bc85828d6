import ZoneKitRecords

/// The changes of one request in a zone. They are committed all or not at all.
package struct ZoneTransition: Hashable, Sendable {
  /// The header after the change.
  package var header: ZoneHeader
  /// Whether all records, tombstones, references and field definitions are removed before `records` are written.
  package var clearsZone: Bool
  /// Tombstones with that sequence or a lower one are removed before `records` are written; nil for none.
  package var purgedThrough: Int64?
  /// The records and tombstones to write, in ascending order of their sequences. Each replaces one of the same name.
  package var records: [StoredRecord]
  /// The field definitions to write. Each replaces one of the same record type and field, for example when an
  /// `unknownList` gets its element type.
  package var definitions: [FieldDefinition]
  /// The state of the zone on which the change is based; nil to commit it in any case.
  package var expected: ZoneExpectation?
  /// The zone whose changes have to be durable before this one is committed; nil for none. If they fail, this one fails with
  /// the same cause.
  package var after: ZoneKey?
  /// Whether the zone is read by record type, so that the store has to find the records of a type and the tombstones
  /// without reading all others.
  package var isReadByType: Bool

  /// A change that leaves the zone with that header.
  package init(
    header: ZoneHeader, clearsZone: Bool = false, purgedThrough: Int64? = nil, records: [StoredRecord] = [],
    definitions: [FieldDefinition] = [], expected: ZoneExpectation? = nil, after: ZoneKey? = nil,
    isReadByType: Bool = false
  ) {
    self.header = header
    self.clearsZone = clearsZone
    self.purgedThrough = purgedThrough
    self.records = records
    self.definitions = definitions
    self.expected = expected
    self.after = after
    self.isReadByType = isReadByType
  }
}

/// The changes of one request in a database's own state. They are committed all or not at all.
package struct DatabaseTransition: Hashable, Sendable {
  /// The new identity; nil for no change.
  package var identity: UInt64?
  /// The subscriptions to write. Each replaces one of the same key.
  package var savedSubscriptions: [Subscription]
  /// The subscriptions to remove.
  package var removedSubscriptions: [Subscription.Key]
  /// The registrations to write. Each replaces one of the same token.
  package var savedRegistrations: [PushRegistration]
  /// The tokens of registrations to remove.
  package var removedRegistrations: [String]
  /// The state of the database on which the change is based; nil to commit it in any case.
  package var expected: DatabaseExpectation?

  /// A transition. Properties that are not given change nothing.
  package init(
    identity: UInt64? = nil, savedSubscriptions: [Subscription] = [], removedSubscriptions: [Subscription.Key] = [],
    savedRegistrations: [PushRegistration] = [], removedRegistrations: [String] = [],
    expected: DatabaseExpectation? = nil
  ) {
    self.identity = identity
    self.savedSubscriptions = savedSubscriptions
    self.removedSubscriptions = removedSubscriptions
    self.savedRegistrations = savedRegistrations
    self.removedRegistrations = removedRegistrations
    self.expected = expected
  }
}
