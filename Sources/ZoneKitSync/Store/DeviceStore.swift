import ZoneKitRecords

/// The store of a device's observations. The rules of syncing access data only through this protocol.
///
/// The only way to write is `commit`, one transaction: a transition is kept as a whole or not at all, and survives a
/// crash right after. A conforming type implements no rule of syncing. The shared conformance suite defines the
/// required behaviour.
public protocol DeviceStore {
  /// All values that are set.
  func values() throws(StoreError) -> [DeviceKey: DeviceValue]

  /// All values of the app that are set. They are never sent.
  func appValues() throws(StoreError) -> [String: DeviceValue]

  /// The states of all zones, in ascending order of zone IDs.
  func zones() throws(StoreError) -> [ZoneState]

  /// One record, also one that is deleted locally and not yet in the cloud; nil if there is none.
  func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord?

  /// Whether `record` has a record of that ID. Its content need not be read for that.
  func contains(_ recordID: RecordID) throws(StoreError) -> Bool

  /// The records of that type that are not deleted locally, in ascending order of record IDs.
  func records(ofType recordType: Name) throws(StoreError) -> [LocalRecord]

  /// The records of a zone, including locally deleted ones, whose `fullFetch` is less than `fullFetch`, in ascending
  /// order of names.
  func records(in zoneID: ZoneID, metBefore fullFetch: Int64) throws(StoreError) -> [LocalRecord]

  /// At most `limit` records that wait to be sent (`pendingSince` set, `quarantine` nil) with a revision greater than
  /// `revision`, in ascending order of revisions; only those of one zone if one is given.
  func pending(in zoneID: ZoneID?, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord]

  /// At most `limit` records of that type that wait to be sent, with a revision greater than `revision`, in ascending
  /// order of revisions.
  func pending(ofType recordType: Name, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord]

  /// At most `limit` records in quarantine, in ascending order of record IDs.
  func quarantined(limit: Int) throws(StoreError) -> [LocalRecord]

  /// The numbers of records that wait to be sent (`pendingSince` set, `quarantine` nil), in ascending order of type, none
  /// of them zero. It takes time for the records that wait, and not for all others.
  func waiting() throws(StoreError) -> [DeviceCensus.Waiting]

  /// The numbers of records by zone and type, and of pending ones.
  func census() throws(StoreError) -> DeviceCensus

  /// Whether the store contains a notification ID.
  func isKnown(notificationID: String) throws(StoreError) -> Bool

  /// The latest `limit` entries of the conflict journal, newest first.
  func conflicts(limit: Int) throws(StoreError) -> [ConflictEntry]

  /// The latest `limit` traces, newest first.
  func traces(limit: Int) throws(StoreError) -> [ChangeTrace]

  /// Commits the whole transition durably, or throws and keeps nothing of it.
  mutating func commit(_ transition: DeviceTransition) throws(StoreError)
}
