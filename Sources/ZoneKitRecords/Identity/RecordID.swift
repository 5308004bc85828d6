/// The ID of a record in a database.
public struct RecordID: Hashable, Comparable, Sendable {
  /// The zone that holds the record.
  public var zoneID: ZoneID
  /// The record's name, unique within its zone.
  public var recordName: Name

  /// The record of that name in that zone.
  public init(recordName: Name, zoneID: ZoneID) {
    self.zoneID = zoneID
    self.recordName = recordName
  }

  /// The zone and the record's name, followed by the zone's owner unless that is the caller: `Items/i1`, `Items/i1 of
  /// owner _mum`.
  package var words: String { "\(zoneID.zoneName)/\(recordName)\(zoneID.ownerWords)" }

  /// Orders records by zone, then name.
  public static func < (first: RecordID, second: RecordID) -> Bool {
    // Most records that are compared are in one zone.
    first.zoneID == second.zoneID ? first.recordName < second.recordName : first.zoneID < second.zoneID
  }
}
