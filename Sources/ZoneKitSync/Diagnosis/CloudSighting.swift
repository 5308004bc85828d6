import ZoneKitRecords

/// What the cloud holds of one record, as somebody sees who reads its files.
package enum CloudSighting: Hashable, Sendable {
  /// The cloud holds this version.
  case saved(ServerVersion)
  /// The cloud holds a tombstone of that time.
  case deleted(at: WallTime)
  /// The zone is there and never held the record.
  case unknown
  /// The zone was deleted at that time, and the record with it.
  case zoneDeleted(at: WallTime)
  /// There never was such a zone.
  case noZone

  /// The record's content; nil where the cloud holds none.
  package var content: RecordContent? {
    if case .saved(let version) = self { version.content } else { nil }
  }

  /// When the cloud took in what it holds, by its clock; nil where nothing ever happened there.
  package var changedAt: WallTime? {
    switch self {
    case .saved(let version): version.modified.at
    case .deleted(let at), .zoneDeleted(let at): at
    case .unknown, .noZone: nil
    }
  }
}
