import Records

extension JSON {
  /// The array of that key, or an error that names the key.
  func requiredArray(_ key: String) throws(RequestFailure) -> [JSON] {
    guard let array = self[key]?.array else { throw .badRequest("\(key) must be an array") }
    return array
  }

  /// The string of that key, not empty, or an error that names the key.
  func requiredString(_ key: String) throws(RequestFailure) -> String {
    guard let string = self[key]?.string, !string.isEmpty else { throw .badRequest("\(key) must be a string") }
    return string
  }

  /// The request's zone; the default zone where it names none.
  func zoneID() throws(RequestFailure) -> ZoneID {
    guard let json = self["zoneID"], json != .null else { return .defaultZone }
    guard let zoneID = ZoneID(json) else { throw .badZoneID("zoneID") }
    return zoneID
  }
}

extension [JSON] {
  /// Maps each element with its place, `name[0]` and so on, for errors.
  func mapNumbered<Item>(
    _ name: String, _ transform: (JSON, String) throws(RequestFailure) -> Item
  ) throws(RequestFailure) -> [Item] {
    var result: [Item] = []
    result.reserveCapacity(count)
    for (index, element) in enumerated() { result.append(try transform(element, "\(name)[\(index)]")) }
    return result
  }
}
