extension ZoneID {
  /// Reads `{"zoneName":…,"ownerRecordName":…}` in all forms that clients use (CloudKit Web Services, b.1): a missing
  /// name means the default zone, a missing owner or a placeholder means the caller. Nil if it is not such an object,
  /// or if the name is empty or longer than `Name.lengthLimit` characters.
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
