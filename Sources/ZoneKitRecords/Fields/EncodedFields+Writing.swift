extension EncodedFields {
  /// The canonical text of the given fields.
  public init(_ fields: Fields) {
    var utf8: [UInt8] = [UInt8(ascii: "{")]
    for field in fields.sorted {
      if utf8.count > 1 { utf8.append(UInt8(ascii: ",")) }
      utf8.appendJSONString(field.name.text)
      utf8.append(UInt8(ascii: ":"))
      utf8.append(field)
    }
    utf8.append(UInt8(ascii: "}"))
    self.init(canonical: utf8)
  }
}

extension [UInt8] {
  /// Appends the canonical object of a field: `{"isEncrypted":true,"type":…,"value":…}`. The first member is present
  /// only if true.
  package mutating func append(_ field: Field) {
    append(literal: field.isEncrypted ? "{\"isEncrypted\":true,\"type\":\"" : "{\"type\":\"")
    append(literal: field.value.type.rawValue)
    append(literal: "\",\"value\":")
    append(field.value)
    append(UInt8(ascii: "}"))
  }

  /// Appends a field value in the form of stored text and of the web services (CloudKit Web Services, b.4 and b.5).
  package mutating func append(_ value: FieldValue) {
    switch value {
    case .string(let text): appendJSONString(text)
    case .int64(let number): appendDecimal(number)
    case .double(let number): appendJSONNumber(number)
    case .bytes(let bytes), .encryptedBytes(let bytes): appendJSONString(Base64.encode(bytes))
    case .timestamp(let time): appendDecimal(time.milliseconds)
    case .reference(let reference): append(reference)
    case .location(let location): append(location)
    case .asset(let asset): append(asset)
    case .stringList(let list): appendList(list) { $0.appendJSONString($1) }
    case .int64List(let list): appendList(list) { $0.appendDecimal($1) }
    case .doubleList(let list): appendList(list) { $0.appendJSONNumber($1) }
    case .bytesList(let list): appendList(list) { $0.appendJSONString(Base64.encode($1)) }
    case .timestampList(let list): appendList(list) { $0.appendDecimal($1.milliseconds) }
    case .referenceList(let list): appendList(list) { $0.append($1) }
    case .locationList(let list): appendList(list) { $0.append($1) }
    case .assetList(let list): appendList(list) { $0.append($1) }
    case .unknownList: append(literal: "[]")
    }
  }

  private mutating func appendList<Item>(_ list: [Item], _ appendItem: (inout [UInt8], Item) -> Void) {
    append(UInt8(ascii: "["))
    for (index, item) in list.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendItem(&self, item)
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func append(_ reference: Reference) {
    append(literal: "{\"action\":\"")
    append(literal: reference.action.rawValue)
    append(literal: "\",\"recordName\":")
    appendJSONString(reference.recordName.text)
    if let zoneID = reference.zoneID {
      append(literal: ",\"zoneID\":{\"ownerRecordName\":")
      appendJSONString(zoneID.owner.recordName.text)
      append(literal: ",\"zoneName\":")
      appendJSONString(zoneID.zoneName.text)
      append(UInt8(ascii: "}"))
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func append(_ location: Location) {
    let optional: [(String, Double?)] = [
      ("altitude", location.altitude), ("course", location.course),
      ("horizontalAccuracy", location.horizontalAccuracy), ("latitude", location.latitude),
      ("longitude", location.longitude), ("speed", location.speed),
    ]
    append(UInt8(ascii: "{"))
    for case (let name, let number?) in optional { appendMember(name) { $0.appendJSONNumber(number) } }
    if let time = location.timestamp { appendMember("timestamp") { $0.appendDecimal(time.milliseconds) } }
    if let number = location.verticalAccuracy { appendMember("verticalAccuracy") { $0.appendJSONNumber(number) } }
    append(UInt8(ascii: "}"))
  }

  /// `AssetText` finds assets by this form.
  private mutating func append(_ asset: Asset) {
    append(literal: "{\"fileChecksum\":")
    appendJSONString(asset.fileChecksum)
    if let receipt = asset.receipt { appendMember("receipt") { $0.appendJSONString(receipt) } }
    appendMember("size") { $0.appendDecimal(asset.size) }
    append(UInt8(ascii: "}"))
  }

  private mutating func appendMember(_ name: String, _ appendValue: (inout [UInt8]) -> Void) {
    if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    appendJSONString(name)
    append(UInt8(ascii: ":"))
    appendValue(&self)
  }
}
