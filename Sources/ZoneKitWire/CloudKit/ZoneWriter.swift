import ZoneKitRecords

/// Appends zone IDs and zones as JSON (CloudKit Web Services, b.1 and b.2).
struct ZoneWriter {
  /// The caller's user record name, which is written as the owner of the caller's own zones.
  let userRecordName: Name
  /// The server's own URL.
  let root: String
  /// The database of the zones.
  let database: DatabaseID

  /// The URLs of the assets of a zone. Those of a shared zone name its owner instead of an account.
  func assets(of zoneID: ZoneID) -> AssetLinks {
    guard database.scope == .shared, case .user(let owner) = zoneID.owner else {
      return AssetLinks(root: root, database: database)
    }
    var place = database
    place.user = owner
    return AssetLinks(root: root, database: place)
  }

  /// Appends the zone. A name that is too long for a zone is in an error only.
  func append(_ zoneID: ZoneID, withType: Bool, to output: inout [UInt8]) {
    output.append(literal: "{\"zoneName\":")
    output.appendJSONString(zoneID.zoneName.text.errorText)
    output.append(literal: ",\"ownerRecordName\":")
    output.appendJSONString(zoneID.owner.recordName(callerIs: userRecordName).text)
    if withType {
      let isDefault = zoneID.zoneName == ZoneID.defaultZone.zoneName
      output.append(literal: ",\"zoneType\":")
      output.append(literal: isDefault ? "\"DEFAULT_ZONE\"" : "\"REGULAR_CUSTOM_ZONE\"")
    }
    output.append(UInt8(ascii: "}"))
  }

  func append(_ result: ZoneResult, to output: inout [UInt8]) {
    output.append(literal: "{\"zoneID\":")
    switch result {
    case .zone(let zone):
      append(zone.zoneID, withType: true, to: &output)
      if let token = zone.token { Self.append(token, to: &output) }
      output.append(literal: zone.isAtomic ? ",\"atomic\":true}" : ",\"atomic\":false}")
    case .deleted(let zoneID):
      append(zoneID, withType: true, to: &output)
      output.append(literal: ",\"deleted\":true}")
    case .failed(let zoneID, let error):
      append(zoneID, withType: false, to: &output)
      output.append(UInt8(ascii: ","))
      ErrorCodec.appendMembers(error, to: &output)
      output.append(UInt8(ascii: "}"))
    }
  }

  func append(_ zone: ChangedZone, to output: inout [UInt8]) {
    output.append(literal: "{\"zoneID\":")
    switch zone {
    case .changed(let zoneID, let token):
      append(zoneID, withType: false, to: &output)
      Self.append(token, to: &output)
      output.append(UInt8(ascii: "}"))
    case .deleted(let zoneID, let ending):
      append(zoneID, withType: false, to: &output)
      output.append(literal: ",\"deleted\":true")
      // The web's feed has no reasons, the native one has. Clients that do not know the members ignore them.
      ErrorCodec.appendMembers(ending, to: &output)
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Appends a comma and the member `syncToken`.
  static func append(_ token: ChangeToken, to output: inout [UInt8]) {
    output.append(literal: ",\"syncToken\":")
    output.appendJSONString(token.text)
  }
}
