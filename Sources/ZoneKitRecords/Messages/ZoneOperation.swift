/// One operation of a `modifyZones` request (CloudKit Web Services, a.1 row 9).
public enum ZoneOperation: Hashable, Sendable {
  /// Create the zone. If it exists, it is returned unchanged.
  case create(ZoneID)
  /// Delete the zone with all its records.
  case delete(ZoneID)
}

extension ZoneOperation {
  /// The zone that the operation creates or deletes.
  package var zoneID: ZoneID {
    switch self {
    case .create(let id), .delete(let id): id
    }
  }
}
