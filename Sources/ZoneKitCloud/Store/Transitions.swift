import ZoneKitRecords

/// What one request changes in a zone; all of it or nothing is kept.
package struct ZoneTransition: Hashable, Sendable {
  /// The header after the change.
  package var header: ZoneHeader
  /// Whether all records, tombstones, references and field definitions go before `records` come.
  package var clearsZone: Bool
  /// Tombstones with that sequence or a smaller one go before `records` come; nil for none.
  package var purgedThrough: Int64?
  /// The records and tombstones to put in, each in the place of one of the same name, ascending by sequence.
  package var records: [StoredRecord]
  /// Field definitions to put in, each in the place of one of the same record type and field: an `unknownList` gets its
  /// element type this way.
  package var definitions: [FieldDefinition]
  /// What the zone has to be for the change to be kept; nil where it is kept in any case.
  package var expected: ZoneExpectation?

  /// A change that leaves the zone with that header.
  package init(
    header: ZoneHeader, clearsZone: Bool = false, purgedThrough: Int64? = nil, records: [StoredRecord] = [],
    definitions: [FieldDefinition] = [], expected: ZoneExpectation? = nil
  ) {
    self.header = header
    self.clearsZone = clearsZone
    self.purgedThrough = purgedThrough
    self.records = records
    self.definitions = definitions
    self.expected = expected
  }
}

/// What one request changes in a database's own state; all of it or nothing is kept.
package struct DatabaseTransition: Hashable, Sendable {
  /// The identity to store, in the place of the one before; nil leaves it.
  package var identity: UInt64?
  /// Subscriptions to put in, each in the place of one of the same ID.
  package var savedSubscriptions: [Subscription]
  /// IDs of subscriptions to take out.
  package var removedSubscriptions: [String]
  /// Registrations to put in, each in the place of one of the same token.
  package var savedRegistrations: [PushRegistration]
  /// Tokens of registrations to take out.
  package var removedRegistrations: [String]
  /// What the state has to be for the change to be kept; nil where it is kept in any case.
  package var expected: DatabaseExpectation?

  /// A change that names only what differs.
  package init(
    identity: UInt64? = nil, savedSubscriptions: [Subscription] = [], removedSubscriptions: [String] = [],
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
