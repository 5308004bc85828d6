extension ZoneID {
  /// Reads `{"zoneName":…,"ownerRecordName":…}` in all spellings that clients use (CloudKit Web Services, b.1): a missing
  /// name means the default zone, a missing owner or a placeholder the caller. Nil where it is no such object, or the name
  /// is empty or longer than `Name.lengthLimit` characters.
  package init?(_ json: JSON) {
    guard case .object = json else { return nil }
    switch json["zoneName"] {
    case nil, .null: zoneName = ZoneID.defaultZone.zoneName
    case .string(let text) where !text.isEmpty && text.count <= Name.lengthLimit: zoneName = Name(text)
    default: return nil
    }
    owner = ZoneOwner(recordName: Name((json["ownerRecordName"] ?? json["ownerName"])?.string ?? ""))
  }
}
