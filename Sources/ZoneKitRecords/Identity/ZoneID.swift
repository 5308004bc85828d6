/// The ID of a zone in a database: its name and its owner (CloudKit Web Services, b.1).
public struct ZoneID: Hashable, Comparable, Sendable {
  /// The zone's name.
  public var zoneName: Name
  /// The user to whom the zone belongs.
  public var owner: ZoneOwner

  /// The zone that every database has. It has no change feed.
  public static let defaultZone = ZoneID(zoneName: "_defaultZone")

  /// The zone of that name, owned by the caller unless another owner is given.
  public init(zoneName: Name, owner: ZoneOwner = .caller) {
    self.zoneName = zoneName
    self.owner = owner
  }

  /// The zone's name, followed by its owner unless that is the caller: `Items`, `Items of owner _mum`.
  package var words: String { zoneName.text + ownerWords }

  /// The owner as a suffix of a name; empty for the caller.
  var ownerWords: String {
    switch owner {
    case .caller: ""
    case .user(let name): " of owner \(name)"
    }
  }

  /// The same zone from the view of the user with that record name.
  package func resolved(for userRecordName: Name) -> ZoneID {
    ZoneID(zoneName: zoneName, owner: owner.resolved(for: userRecordName))
  }

  /// Orders zones by name, then owner.
  public static func < (first: ZoneID, second: ZoneID) -> Bool {
    (first.zoneName, first.owner) < (second.zoneName, second.owner)
  }
}
