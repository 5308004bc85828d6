import ZoneKitRecords

/// The name of the entry for somebody else's zone in a shared database. The entry has no records: it says that the zone is
/// in the database and how far it had come when it was last listed.
struct SharedZoneEntry: Hashable {
  /// The user record name of the zone's owner.
  let owner: Name
  /// The zone's name in the owner's database.
  let zoneName: Name

  init(owner: Name, zoneName: Name) {
    self.owner = owner
    self.zoneName = zoneName
  }

  /// Reads the name of an entry; nil if it is none.
  init?(_ name: Name) {
    guard let slash = name.text.firstIndex(of: "/") else { return nil }
    owner = Name(String(name.text[..<slash]))
    zoneName = Name(String(name.text[name.text.index(after: slash)...]))
  }

  /// The name. A user record name has no slash.
  var name: Name { Name("\(owner)/\(zoneName)") }

  /// The zone as the caller names it.
  var zoneID: ZoneID { ZoneID(zoneName: zoneName, owner: .user(owner)) }
}

/// A zone of a shared database.
struct SharedZone {
  /// The header of its entry.
  var entry: ZoneHeader
  var id: ZoneID
  /// The zone; nil if it is gone, or if nothing in it is shared with the caller any more.
  var zone: LiveZone?

  /// Whether the entry says something else than the zone.
  var isOutdated: Bool {
    guard let header = zone?.header else { return !entry.isDeleted }
    return entry.isDeleted || entry.incarnation != header.incarnation || entry.sharing?.epoch != header.sequence
  }

  /// The entry with what the zone says.
  var updatedEntry: ZoneHeader {
    var entry = entry
    guard let header = zone?.header else {
      entry.end(.deleted)
      return entry
    }
    entry.deletion = nil
    entry.note(header)
    return entry
  }
}

extension ZoneHeader {
  /// The entry of a shared database notes how far its zone has come.
  mutating func note(_ zone: ZoneHeader) {
    incarnation = zone.incarnation
    sharing = ZoneSharing(epoch: zone.sequence)
  }
}
