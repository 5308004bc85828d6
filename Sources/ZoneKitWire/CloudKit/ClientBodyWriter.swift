import ZoneKitRecords

/// Writes the bodies of a device's requests (CloudKit Web Services, a.1 and b).
enum ClientBodyWriter {
  static func body(of request: CloudRequest) -> [UInt8] {
    switch request {
    case .modifyRecords(let request): modifyRecords(request)
    default: json(of: request).bytes()
    }
  }

  private static func json(of request: CloudRequest) -> JSON {
    switch request {
    case .listZones, .listSubscriptions, .modifyRecords: [:]
    case .lookupZones(let zoneIDs): ["zones": .array(zoneIDs.map(zoneID))]
    case .modifyZones(let operations): ["operations": .array(operations.map(zoneOperation))]
    case .lookupRecords(let zone, let names):
      ["zoneID": zoneID(zone), "records": .array(names.map { ["recordName": .string($0.text)] })]
    case .queryRecords(let queries): ["batch": .array(queries.map(QueryWriter.json))]
    case .createUploads(let zone, let uploads):
      ["zoneID": zoneID(zone), "tokens": .array(uploads.map(assetUpload))]
    case .rereferenceAssets(let zone, let places):
      ["zoneID": zoneID(zone), "assets": .array(places.map(assetPlace))]
    case .fetchDatabaseChanges(let token, let limit):
      JSON(known: ["syncToken": token.map { .string($0.text) }, "resultsLimit": .integer(Int64(limit))])
    case .fetchZoneChanges(let queries): ["zones": .array(queries.map(zoneQuery))]
    case .lookupSubscriptions(let ids):
      ["subscriptions": .array(ids.map { ["subscriptionID": .string($0)] })]
    case .modifySubscriptions(let operations): ["operations": .array(operations.map(subscriptionOperation))]
    case .fetchUsers(.caller): [:]
    case .fetchUsers(.discover(let lookups)): ["lookupInfos": .array(lookups.map(\.json))]
    case .fetchUsers(.lookup(let lookups)): ["users": .array(lookups.map(\.json))]
    case .resolveShares(let requests), .acceptShares(let requests):
      ["shortGUIDs": .array(requests.map(ShareCodec.json))]
    case .createPushToken(let environment): ["apnsEnvironment": .string(environment.rawValue)]
    case .registerPushToken(let registration): pushRegistration(registration)
    }
  }

  private static func assetUpload(_ upload: AssetUpload) -> JSON {
    JSON(known: [
      "recordName": upload.recordName.map { .string($0.text) }, "recordType": .string(upload.recordType.text),
      "fieldName": .string(upload.fieldName.text),
    ])
  }

  private static func assetPlace(_ place: AssetPlace) -> JSON {
    ["recordName": .string(place.recordName.text), "fieldName": .string(place.fieldName.text)]
  }

  private static func pushRegistration(_ registration: PushRegistration) -> JSON {
    JSON(known: [
      "apnsEnvironment": .string(registration.environment.rawValue), "apnsToken": .string(registration.token),
      "clientId": registration.deviceID.map { .string($0) },
    ])
  }

  private static func zoneID(_ zoneID: ZoneID) -> JSON {
    JSON(known: [
      "zoneName": .string(zoneID.zoneName.text),
      "ownerRecordName": zoneID.owner == .caller ? nil : .string(zoneID.owner.recordName.text),
    ])
  }

  private static func zoneOperation(_ operation: ZoneOperation) -> JSON {
    switch operation {
    case .create(let zone): ["operationType": "create", "zone": ["zoneID": zoneID(zone)]]
    case .delete(let zone): ["operationType": "delete", "zone": ["zoneID": zoneID(zone)]]
    }
  }

  private static func zoneQuery(_ query: ZoneChangesQuery) -> JSON {
    let tags = query.acknowledged.map { JSON.string($0.text) }
    return JSON(known: [
      "zoneID": zoneID(query.zoneID), "syncToken": query.token.map { .string($0.text) },
      "resultsLimit": .integer(Int64(query.limit)), "reverse": query.isReversed ? true : nil,
      "desiredRecordTypes": query.recordTypes.map { .array($0.map { .string($0.text) }) },
      "acknowledgedChangeTags": tags.isEmpty ? nil : .array(tags),
    ])
  }

  private static func subscriptionOperation(_ operation: SubscriptionOperation) -> JSON {
    switch operation {
    case .create(let subscription):
      ["operationType": "create", "subscription": SubscriptionWriter(userRecordName: nil).json(subscription)]
    case .update(let subscription):
      ["operationType": "update", "subscription": SubscriptionWriter(userRecordName: nil).json(subscription)]
    case .delete(let id): ["operationType": "delete", "subscription": ["subscriptionID": .string(id)]]
    // Without a type the cloud finds it malformed too and answers with the error for it.
    case .malformed(let id, _):
      ["operationType": "create", "subscription": JSON(known: ["subscriptionID": id.map { .string($0) }])]
    }
  }

  private static func modifyRecords(_ request: ModifyRecords) -> [UInt8] {
    var body: [UInt8] = []
    body.append(literal: "{\"zoneID\":")
    body.appendJSON(zoneID(request.zoneID))
    body.append(literal: request.isAtomic ? ",\"atomic\":true" : ",\"atomic\":false")
    body.append(literal: ",\"operations\":[")
    for (index, operation) in request.operations.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      append(operation, to: &body)
    }
    body.append(literal: "]}")
    return body
  }

  private static func append(_ operation: RecordOperation, to body: inout [UInt8]) {
    body.append(literal: "{\"operationType\":\"\(operation.kind.rawValue)\",\"record\":{")
    append("recordName", operation.recordName?.text, to: &body)
    append("recordType", operation.recordType?.text, to: &body)
    append("recordChangeTag", operation.changeTag?.text, to: &body)
    switch operation.parent {
    case .keep: break
    case .clear: body.append(literal: "\"parent\":null,")
    case .set(let name):
      body.append(literal: "\"parent\":{\"recordName\":")
      body.appendJSONString(name.text)
      body.append(literal: "},")
    }
    for member in operation.share.map(ShareCodec.members) ?? [] {
      body.appendJSONString(member.key)
      body.append(UInt8(ascii: ":"))
      body.appendJSON(member.value)
      body.append(UInt8(ascii: ","))
    }
    body.append(literal: "\"fields\":{")
    for (index, field) in operation.fields.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      body.appendJSONString(field.name.text)
      body.append(UInt8(ascii: ":"))
      append(field, to: &body)
    }
    body.append(literal: "}}}")
  }

  private static func append(_ key: String, _ text: String?, to body: inout [UInt8]) {
    guard let text else { return }
    body.append(literal: "\"\(key)\":")
    body.appendJSONString(text)
    body.append(UInt8(ascii: ","))
  }

  /// A value with a guessed type is written without a type, so that the cloud can determine it.
  private static func append(_ field: NamedFieldChange, to body: inout [UInt8]) {
    switch field.change {
    case .set(let value, isTyped: true, let isEncrypted):
      body.append(Field(name: field.name, value: value, isEncrypted: isEncrypted))
    case .set(let value, isTyped: false, let isEncrypted):
      body.append(literal: isEncrypted ? "{\"isEncrypted\":true,\"value\":" : "{\"value\":")
      body.append(value)
      body.append(UInt8(ascii: "}"))
    case .clear: body.append(literal: "null")
    // The cloud finds this malformed too. Null would remove the field.
    case .malformed: body.append(literal: "false")
    }
  }
}
