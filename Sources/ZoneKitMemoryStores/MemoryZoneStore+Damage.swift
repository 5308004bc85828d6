import ZoneKitRecords
import ZoneKitCloud

/// What can happen to the file of a zone. Nothing is staged at that time.
extension MemoryZoneStore {
  /// A copy of a zone's file.
  package struct ZoneCopy: Sendable {
    fileprivate let zone: Zone
  }

  /// The records and tombstones of a zone, also damaged ones.
  package func content(of key: ZoneKey) -> [Name: StoredRecord] { zones[key]?.records ?? [:] }

  /// The zones with damaged records, in ascending order.
  package var damagedZones: [ZoneKey] { zones.keys.filter { zones[$0]?.damaged.isEmpty == false }.sorted() }

  /// Makes a record or tombstone not match its checksum. Returns false if there is none of that name.
  package mutating func damage(_ name: Name, in key: ZoneKey) -> Bool { zones[key]?.damage(name) ?? false }

  /// A copy of the zone's file; nil if there is no such zone.
  package func copy(of key: ZoneKey) -> ZoneCopy? { zones[key].map { ZoneCopy(zone: $0) } }

  /// Replaces the zone's file by a copy of an earlier state. A zone that lacks commits starts a new incarnation.
  package mutating func restore(_ copy: ZoneCopy, as key: ZoneKey, using generator: inout some RandomNumberGenerator) {
    change(key, using: &generator) { $0 = copy.zone }
  }

  /// Tears at most that many of the last commits off the zone's file. A zone that lacks commits starts a new
  /// incarnation.
  package mutating func loseCommits(_ count: Int, of key: ZoneKey, using generator: inout some RandomNumberGenerator) {
    change(key, using: &generator) { $0.loseCommits(count) }
  }

  /// Rebuilds a zone with damaged records from the other ones. It starts a new incarnation.
  package mutating func repair(_ key: ZoneKey, using generator: inout some RandomNumberGenerator) {
    guard let header = zones[key]?.header else { return }
    let position = sequence(of: key.database) + 1
    zones[key]?.removeDamaged(
      goingOnAs: ZoneMark(header).renewed(header, databaseSequence: position, using: &generator))
    keepHeader(of: key)
  }

  /// Puts another file in the place of a zone's.
  private mutating func change(
    _ key: ZoneKey, using generator: inout some RandomNumberGenerator, _ change: (inout Zone) -> Void
  ) {
    guard var zone = zones[key], let mark = zone.header.map({ ZoneMark($0) }) else { return }
    let position = sequence(of: key.database) + 1
    change(&zone)
    if let header = zone.header, !mark.isReached(by: header) {
      zone.goOn(as: mark.renewed(header, databaseSequence: position, using: &generator))
    }
    zones[key] = zone
    keepHeader(of: key)
  }
}
