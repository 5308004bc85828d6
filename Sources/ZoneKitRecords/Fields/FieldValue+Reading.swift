extension FieldValue {
  /// Reads a JSON value as a value of that type; nil if it is not one (CloudKit Web Services, b.4 and b.5).
  ///
  /// Numbers may be decimal strings, Booleans stand for 0 and 1, and a TIMESTAMP has no fraction.
  package init?(_ json: JSON, as type: FieldType) {
    let value: FieldValue? =
      switch type {
      case .string: json.string.map(FieldValue.string)
      case .int64: FieldReading.integer(json).map(FieldValue.int64)
      case .double: FieldReading.double(json).map(FieldValue.double)
      case .bytes: FieldReading.bytes(json).map(FieldValue.bytes)
      case .encryptedBytes: FieldReading.bytes(json).map(FieldValue.encryptedBytes)
      case .timestamp: FieldReading.timestamp(json).map(FieldValue.timestamp)
      case .reference: FieldReading.reference(json).map(FieldValue.reference)
      case .location: FieldReading.location(json).map(FieldValue.location)
      case .asset: FieldReading.asset(json).map(FieldValue.asset)
      case .stringList: FieldReading.list(json) { $0.string }.map(FieldValue.stringList)
      case .int64List: FieldReading.list(json, FieldReading.integer).map(FieldValue.int64List)
      case .doubleList: FieldReading.list(json, FieldReading.double).map(FieldValue.doubleList)
      case .bytesList: FieldReading.list(json, FieldReading.bytes).map(FieldValue.bytesList)
      case .timestampList: FieldReading.list(json, FieldReading.timestamp).map(FieldValue.timestampList)
      case .referenceList: FieldReading.list(json, FieldReading.reference).map(FieldValue.referenceList)
      case .locationList: FieldReading.list(json, FieldReading.location).map(FieldValue.locationList)
      case .assetList: FieldReading.list(json, FieldReading.asset).map(FieldValue.assetList)
      case .unknownList: json.array?.isEmpty == true ? .unknownList : nil
      }
    guard let value else { return nil }
    self = value
  }
}

/// The element readers of `FieldValue(_:as:)`.
private enum FieldReading {
  static func list<Element>(_ json: JSON, _ read: (JSON) -> Element?) -> [Element]? {
    guard let elements = json.array else { return nil }
    var values: [Element] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }

  static func integer(_ json: JSON) -> Int64? {
    switch json {
    case .integer(let integer): integer
    case .bool(let bool): bool ? 1 : 0
    // Beyond 2^53 the Double may differ from the number in the text.
    case .number(let number): number.magnitude <= 9_007_199_254_740_992 ? Int64(exactly: number) : nil
    case .string(let text): Int64(text)
    case .verbatim(let value): integer(value.interpreted)
    case .null, .array, .object: nil
    }
  }

  static func double(_ json: JSON) -> Double? {
    switch json {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .verbatim(let value): double(value.interpreted)
    case .null, .bool, .array, .object: nil
    }
  }

  static func timestamp(_ json: JSON) -> WallTime? {
    switch json {
    case .bool: nil
    case .null, .integer, .number, .string, .verbatim, .array, .object: integer(json).map(WallTime.init(milliseconds:))
    }
  }

  static func bytes(_ json: JSON) -> [UInt8]? { json.string.flatMap { Base64.decode($0) } }

  /// Without an action it is NONE.
  static func reference(_ json: JSON) -> Reference? {
    guard let recordName = json["recordName"]?.string, !recordName.isEmpty else { return nil }
    var action = Reference.Action.none
    if let text = json["action"]?.string {
      guard let known = Reference.Action(rawValue: text) else { return nil }
      action = known
    }
    return Reference(recordName: Name(recordName), zoneID: json["zoneID"].flatMap { ZoneID($0) }, action: action)
  }

  /// A writer may leave out everything that the receipt says.
  static func asset(_ json: JSON) -> Asset? {
    let (checksum, receipt) = (json["fileChecksum"]?.string ?? "", json["receipt"]?.string)
    guard !checksum.isEmpty || receipt != nil else { return nil }
    guard let size = json["size"].map(integer) ?? .some(0), size >= 0 else { return nil }
    return Asset(fileChecksum: checksum, size: size, receipt: receipt)
  }

  static func location(_ json: JSON) -> Location? {
    guard let latitude = json["latitude"].flatMap(double), let longitude = json["longitude"].flatMap(double) else {
      return nil
    }
    var location = Location(latitude: latitude, longitude: longitude)
    location.altitude = json["altitude"].flatMap(double)
    location.horizontalAccuracy = json["horizontalAccuracy"].flatMap(double)
    location.verticalAccuracy = json["verticalAccuracy"].flatMap(double)
    location.course = json["course"].flatMap(double)
    location.speed = json["speed"].flatMap(double)
    location.timestamp = json["timestamp"].flatMap(timestamp)
    return location
  }
}
