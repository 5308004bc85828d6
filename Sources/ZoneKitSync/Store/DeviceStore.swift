import ZoneKitRecords

/// Where a device keeps what it observed: the seam between the rules of syncing and the database that holds the data.
///
/// The only way to write is `commit`, one transaction: all of a transition or nothing of it is kept, and what was kept
/// survives a crash right after. A conformer keeps no rule; the shared conformance suite says what it must do.
public protocol DeviceStore {
  /// All values that were set.
  func values() throws(StoreError) -> [DeviceKey: DeviceValue]

  /// What is known of every zone, ascending by zone ID.
  func zones() throws(StoreError) -> [ZoneState]

  /// One record, also one that is deleted locally and not yet on the cloud; nil where there is none.
  func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord?

  /// The records of that type that are not deleted locally, ascending by record ID.
  func records(ofType recordType: Name) throws(StoreError) -> [LocalRecord]

  /// The records of a zone, locally deleted ones included, whose `fullFetch` is smaller than that, ascending by name.
  func records(in zoneID: ZoneID, metBefore fullFetch: Int64) throws(StoreError) -> [LocalRecord]

  /// At most `limit` records that wait to be sent (`pendingSince` set, `quarantine` nil) with a revision greater than
  /// `revision`, ascending by revision; only those of one zone where one is given.
  func pending(in zoneID: ZoneID?, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord]

  /// At most `limit` records that are in quarantine, ascending by record ID.
  func quarantined(limit: Int) throws(StoreError) -> [LocalRecord]

  /// How many records there are by zone and type, and what waits to be sent.
  func census() throws(StoreError) -> DeviceCensus

  /// Whether a notification of that ID was seen and not forgotten since.
  func isKnown(notificationID: String) throws(StoreError) -> Bool

  /// The newest `limit` entries of the conflict journal, the one inserted last first.
  func conflicts(limit: Int) throws(StoreError) -> [ConflictEntry]

  /// The newest `limit` traces, the one inserted last first.
  func traces(limit: Int) throws(StoreError) -> [ChangeTrace]

  /// Keeps all of the transition, durably, or throws and keeps nothing of it.
  mutating func commit(_ transition: DeviceTransition) throws(StoreError)
}
