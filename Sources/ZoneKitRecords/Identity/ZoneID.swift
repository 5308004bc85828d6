/// Names a zone within a database: its name and whose it is (CloudKit Web Services, b.1).
public struct ZoneID: Hashable, Comparable, Sendable {
  /// The zone's name.
  public var zoneName: Name
  /// The user record name of the owner; `defaultOwner` stands for the caller.
  public var ownerName: Name

  /// Stands for "the user who asks" wherever an owner is named.
  public static let defaultOwner: Name = "_defaultOwner"

  /// The zone that every database has and that has no change feed.
  public static let defaultZone = ZoneID(zoneName: "_defaultZone")

  /// The zone of that name, owned by the caller unless said otherwise.
  public init(zoneName: Name, ownerName: Name = ZoneID.defaultOwner) {
    self.zoneName = zoneName
    self.ownerName = ownerName
  }

  /// The zone's name, and whose it is unless it is the caller's: `Items`, `Items of owner _mum`.
  package var words: String { zoneName.text + ownerWords }

  /// Whose the zone is, as it is put behind a name; nothing where it is the caller's.
  var ownerWords: String { ownerName == Self.defaultOwner ? "" : " of owner \(ownerName)" }

  /// Orders zones by name, then owner.
  public static func < (first: ZoneID, second: ZoneID) -> Bool {
    (first.zoneName, first.ownerName) < (second.zoneName, second.ownerName)
  }
}
