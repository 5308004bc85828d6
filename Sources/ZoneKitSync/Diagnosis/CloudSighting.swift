import ZoneKitRecords

/// The state of one record in the cloud, read from the cloud's files.
package enum CloudSighting: Hashable, Sendable {
  /// The cloud holds this version.
  case saved(ServerVersion)
  /// The cloud holds a tombstone from that time.
  case deleted(at: WallTime)
  /// The zone exists and never held the record.
  case unknown
  /// A database without tombstones does not have the record, or does not show it to the account.
  case gone
  /// The zone was deleted with the record at that time.
  case zoneDeleted(at: WallTime)
  /// The zone never existed.
  case noZone

  /// The record's content; nil if the cloud has none.
  package var content: RecordContent? {
    if case .saved(let version) = self { version.content } else { nil }
  }

  /// The same state without a field of the record, which only the cloud has; the same state if nil.
  package func leavingOut(_ field: Name?) -> CloudSighting {
    guard case .saved(var version) = self else { return self }
    version.content = version.content.leavingOut(field)
    return .saved(version)
  }

  /// When the cloud committed this state, by its clock; nil if it never changed anything there, or if nothing tells when.
  package var changedAt: WallTime? {
    switch self {
    case .saved(let version): version.modified.at > WallTime(milliseconds: 0) ? version.modified.at : nil
    case .deleted(let at), .zoneDeleted(let at): at
    case .unknown, .noZone, .gone: nil
    }
  }
}
