import ZoneKitRecords

extension FieldValue {
  /// The value converted to that type; nil if that is not possible.
  ///
  /// If the request names the type of the value, it has to be the same; an empty list of unknown elements fits every
  /// list type. If the type was guessed from the JSON, the value is converted: an integer to DOUBLE or TIMESTAMP, a
  /// fraction to TIMESTAMP (truncated), a string to bytes or a number (CloudKit Web Services, b.4 and c.4).
  func fitted(to type: FieldType, isTyped: Bool) -> FieldValue? {
    if case .unknownList = self { return FieldValue(emptyListOf: type) }
    guard !isTyped else { return nil }
    switch self {
    case .int64(let number): return FieldValue(number, as: type)
    case .double(let number): return FieldValue(number, as: type)
    case .string(let text): return FieldValue(text, as: type)
    case .int64List(let list): return FieldValue(list.map { FieldValue.int64($0) }, as: type)
    case .doubleList(let list): return FieldValue(list.map { FieldValue.double($0) }, as: type)
    case .stringList(let list): return FieldValue(list.map { FieldValue.string($0) }, as: type)
    case .bytes, .encryptedBytes, .timestamp, .reference, .location, .asset, .bytesList, .timestampList, .referenceList,
      .locationList, .assetList, .unknownList:
      return nil
    }
  }

  private init?(emptyListOf type: FieldType) {
    switch type {
    case .stringList: self = .stringList([])
    case .int64List: self = .int64List([])
    case .doubleList: self = .doubleList([])
    case .bytesList: self = .bytesList([])
    case .timestampList: self = .timestampList([])
    case .referenceList: self = .referenceList([])
    case .locationList: self = .locationList([])
    case .assetList: self = .assetList([])
    case .unknownList: self = .unknownList
    case .string, .int64, .double, .bytes, .encryptedBytes, .timestamp, .reference, .location, .asset: return nil
    }
  }

  private init?(_ number: Int64, as type: FieldType) {
    switch type {
    case .double: self = .double(Double(number))
    case .timestamp: self = .timestamp(WallTime(milliseconds: number))
    default: return nil
    }
  }

  private init?(_ number: Double, as type: FieldType) {
    // The conversion truncates. `rounded` would need the C library's mathematics in an optimised build.
    guard type == .timestamp, number >= -0x1p63, number < 0x1p63 else { return nil }
    self = .timestamp(WallTime(milliseconds: Int64(number)))
  }

  private init?(_ text: String, as type: FieldType) {
    switch type {
    case .bytes:
      guard let bytes = Base64.decode(text) else { return nil }
      self = .bytes(bytes)
    case .encryptedBytes:
      guard let bytes = Base64.decode(text) else { return nil }
      self = .encryptedBytes(bytes)
    case .int64:
      guard let number = Int64(text) else { return nil }
      self = .int64(number)
    case .double:
      guard let number = Double(text), number.isFinite else { return nil }
      self = .double(number)
    case .timestamp:
      guard let number = Int64(text) else { return nil }
      self = .timestamp(WallTime(milliseconds: number))
    default: return nil
    }
  }

  /// A list of that type. Each element is converted separately.
  private init?(_ elements: [FieldValue], as type: FieldType) {
    switch type {
    case .int64List:
      guard let list = elements.all(as: .int64, { if case .int64(let number) = $0 { number } else { nil } }) else {
        return nil
      }
      self = .int64List(list)
    case .doubleList:
      guard let list = elements.all(as: .double, { if case .double(let number) = $0 { number } else { nil } }) else {
        return nil
      }
      self = .doubleList(list)
    case .timestampList:
      guard let list = elements.all(as: .timestamp, { if case .timestamp(let time) = $0 { time } else { nil } }) else {
        return nil
      }
      self = .timestampList(list)
    case .bytesList:
      guard let list = elements.all(as: .bytes, { if case .bytes(let bytes) = $0 { bytes } else { nil } }) else {
        return nil
      }
      self = .bytesList(list)
    default: return nil
    }
  }
}

extension [FieldValue] {
  /// The result of `content` for every element converted to that type; nil if one cannot be converted.
  fileprivate func all<Content>(as type: FieldType, _ content: (FieldValue) -> Content?) -> [Content]? {
    var list: [Content] = []
    for element in self {
      let fitting = element.type == type ? element : element.fitted(to: type, isTyped: false)
      guard let fitting, let content = content(fitting) else { return nil }
      list.append(content)
    }
    return list
  }
}
