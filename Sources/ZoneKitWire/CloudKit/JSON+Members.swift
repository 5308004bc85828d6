import ZoneKitRecords

/// Access to members of request bodies. An optional member that is null counts as absent (CloudKit Web Services, a.0).
extension JSON {
  /// The member of that key; nil if it is absent or null.
  func member(_ key: String) -> JSON? {
    guard let value = self[key] else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// The array of that key.
  func requiredArray(_ key: String) throws(MemberError) -> [JSON] {
    guard let array = self[key]?.array else { throw MemberError(key, "must be an array") }
    return array
  }

  /// The non-empty string of that key.
  func requiredString(_ key: String) throws(MemberError) -> String {
    guard let string = self[key]?.string, !string.isEmpty else { throw MemberError(key, "must be a string, not empty") }
    return string
  }

  /// The string of that key; nil if it is absent.
  func optionalString(_ key: String) throws(MemberError) -> String? {
    guard let value = member(key) else { return nil }
    guard let string = value.string else { throw MemberError(key, "must be a string") }
    return string
  }

  /// The Boolean of that key; nil if it is absent.
  func optionalBool(_ key: String) throws(MemberError) -> Bool? {
    guard let value = member(key) else { return nil }
    guard let bool = value.bool else { throw MemberError(key, "must be true or false") }
    return bool
  }

  /// The array of strings of that key; nil if it is absent.
  func optionalStrings(_ key: String) throws(MemberError) -> [String]? {
    guard let value = member(key) else { return nil }
    guard let elements = value.array else { throw MemberError(key, "must be an array of strings") }
    return try elements.mapNumbered(key) { (element) throws(MemberError) in
      guard let string = element.string else { throw MemberError("", "must be a string") }
      return string
    }
  }

  /// The member `resultsLimit`; nil if it is absent. A limit above the size of a page is the size of a page (CloudKit Web
  /// Services, g).
  func resultsLimit() throws(MemberError) -> Int? {
    guard let value = member("resultsLimit") else { return nil }
    guard let limit = value.integer, limit > 0 else {
      throw MemberError("resultsLimit", "must be a whole number above 0")
    }
    return Int(min(limit, Int64(ZoneChangesQuery.pageLimit)))
  }

  /// The zone ID of that key; nil if it is absent.
  func optionalZoneID(_ key: String) throws(MemberError) -> ZoneID? {
    guard let value = member(key) else { return nil }
    guard let zoneID = ZoneID(value) else { throw .notZoneID(key) }
    return zoneID
  }
}

extension [JSON] {
  /// Maps each element. An error gets the index of the element, such as `operations[3]`.
  func mapNumbered<Item>(
    _ name: String, _ transform: (JSON) throws(MemberError) -> Item
  ) throws(MemberError) -> [Item] {
    var result: [Item] = []
    result.reserveCapacity(count)
    for (index, element) in enumerated() {
      do throws(MemberError) {
        result.append(try transform(element))
      } catch {
        throw error.within("\(name)[\(index)]")
      }
    }
    return result
  }
}
