/// Reads canonical field text from left to right, without a tree of JSON for it, which took most of the time of decoding.
struct FieldTextReader {
  private static let fieldStart = Array(":{".utf8)
  private static let encrypted = Array("\"isEncrypted\":true,".utf8)
  private static let typeStart = Array("\"type\":\"".utf8)
  private static let typeEnd = Array("\",\"value\":".utf8)
  private static let types = FieldType.allCases.map { (Array($0.rawValue.utf8), $0) }

  private var scanner = JSONScanner()

  /// The fields; nil if the text is not written as `EncodedFields(_:)` writes it.
  mutating func fields(in bytes: Span<UInt8>) -> Fields? {
    var fields = Fields()
    guard scanner.take(UInt8(ascii: "{"), in: bytes) else { return nil }
    if scanner.take(UInt8(ascii: "}"), in: bytes) { return scanner.position == bytes.count ? fields : nil }
    repeat {
      guard let field = try? field(in: bytes) else { return nil }
      fields.set(field)
    } while scanner.take(UInt8(ascii: ","), in: bytes)
    guard scanner.take(UInt8(ascii: "}"), in: bytes), scanner.position == bytes.count else { return nil }
    return fields
  }

  private mutating func field(in bytes: Span<UInt8>) throws(JSONError) -> Field? {
    guard let name = try string(in: bytes), scanner.take(Self.fieldStart, in: bytes) else { return nil }
    let isEncrypted = scanner.take(Self.encrypted, in: bytes)
    guard let type = type(in: bytes), let value = try value(type, in: bytes), scanner.take(UInt8(ascii: "}"), in: bytes)
    else { return nil }
    return Field(name: Name(name), value: value, isEncrypted: isEncrypted)
  }

  private mutating func type(in bytes: Span<UInt8>) -> FieldType? {
    guard scanner.take(Self.typeStart, in: bytes) else { return nil }
    let start = scanner.position
    for (name, type) in Self.types where scanner.take(name, in: bytes) {
      if scanner.take(Self.typeEnd, in: bytes) { return type }
      // `STRING` is the beginning of `STRING_LIST`.
      scanner.position = start
    }
    return nil
  }

  private mutating func value(_ type: FieldType, in bytes: Span<UInt8>) throws(JSONError) -> FieldValue? {
    switch type {
    case .string: return try string(in: bytes).map { .string($0) }
    case .int64: return try integer(in: bytes).map { .int64($0) }
    case .timestamp: return try integer(in: bytes).map { .timestamp(WallTime(milliseconds: $0)) }
    case .stringList: return try strings(in: bytes).map { .stringList($0) }
    case .double, .bytes, .encryptedBytes, .reference, .location, .asset, .int64List, .doubleList, .bytesList,
      .timestampList, .referenceList, .locationList, .assetList, .unknownList:
      return FieldValue(try scanner.value(in: bytes, depth: 2), as: type)
    }
  }

  private mutating func string(in bytes: Span<UInt8>) throws(JSONError) -> String? {
    guard scanner.position < bytes.count, bytes[scanner.position] == UInt8(ascii: "\"") else { return nil }
    return try scanner.string(in: bytes)
  }

  private mutating func integer(in bytes: Span<UInt8>) throws(JSONError) -> Int64? {
    guard scanner.position < bytes.count else { return nil }
    switch bytes[scanner.position] {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try scanner.number(in: bytes).integer
    default: return nil
    }
  }

  private mutating func strings(in bytes: Span<UInt8>) throws(JSONError) -> [String]? {
    guard scanner.take(UInt8(ascii: "["), in: bytes) else { return nil }
    var strings: [String] = []
    if scanner.take(UInt8(ascii: "]"), in: bytes) { return strings }
    repeat {
      guard let string = try string(in: bytes) else { return nil }
      strings.append(string)
    } while scanner.take(UInt8(ascii: ","), in: bytes)
    return scanner.take(UInt8(ascii: "]"), in: bytes) ? strings : nil
  }
}
