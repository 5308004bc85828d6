import ZoneKitDeviceHost
import ZoneKitRecords

/// The values of fields as users type them. The way in which a word is written says which of CloudKit's types it has.
enum RecordWord {
  /// The forms of words, for the help.
  static let help = [
    "VALUE: 12 INT64, 1.5 DOUBLE, true and false 1 and 0, \"12\" or any other word STRING,",
    "       2026-11-21T06:06:01Z, 2026-11-21 or now TIMESTAMP, ->NAME, ->NAME:delete or ->NAME:validate REFERENCE,",
    "       @46.95,7.45 LOCATION, base64:AAEC BYTES, [a,b] a list, none for no value,",
    "       asset:CHECKSUM:SIZE ASSETID, which only a program uploads",
  ]

  /// The value of an assignment on a device at that time; nil for `none`, which removes the field. Throws if a word looks like
  /// a value of a type and is none.
  static func value(
    of typed: CommandWords.Assignment, now: WallTime, in zone: TimeZoneRules
  ) throws(AppRefusal) -> FieldValue? {
    if let list = typed.list {
      var values: [FieldValue] = []
      for word in list { values.append(try value(of: word, now: now, in: zone)) }
      guard let value = Self.list(values) else {
        throw AppRefusal("the values of \(typed.name) have different types; a list has values of one type")
      }
      return value
    }
    if typed.value == CommandWords.Word("none") { return nil }
    return try value(of: typed.value, now: now, in: zone)
  }

  private static func value(
    of word: CommandWords.Word, now: WallTime, in zone: TimeZoneRules
  ) throws(AppRefusal) -> FieldValue {
    let text = word.text
    guard !word.isQuoted else { return .string(text) }
    if text == "true" || text == "false" { return .int64(text == "true" ? 1 : 0) }
    if text == "now" { return .timestamp(now) }
    if let number = Int64(text), String(number) == text { return .int64(number) }
    if let number = decimal(text) { return .double(number) }
    if looksLikeDate(text) {
      guard let time = (try? TimeWord(parsing: text))?.resolved(now: now, in: zone) else {
        throw AppRefusal("\(text) is no time; expected one such as 2026-11-21T06:06:01Z, or the text in double quotes")
      }
      return .timestamp(time)
    }
    if text.hasPrefix("->") { return .reference(try reference(text)) }
    if text.hasPrefix("@"), let location = location(text) { return .location(location) }
    if text.hasPrefix("base64:") {
      guard let bytes = Base64.decode(String(text.dropFirst(7))) else {
        throw AppRefusal("\(text) is no base64 text; expected base64:AAEC, or the text in double quotes")
      }
      return .bytes(bytes)
    }
    if text.hasPrefix("asset:") {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, Asset.hash(of: String(parts[1])) != nil, let size = Int64(parts[2]), size >= 0 else {
        throw AppRefusal("\(text) is no asset; expected asset:CHECKSUM:SIZE, or the text in double quotes")
      }
      return .asset(Asset(fileChecksum: String(parts[1]), size: size))
    }
    return .string(text)
  }

  /// A number with a point or an exponent, in which both sides of the point have digits.
  private static func decimal(_ text: String) -> Double? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    guard text.utf8.count - digits.count <= 1, let first = digits.first, let last = digits.last,
      isDigit(first), isDigit(last),
      digits.allSatisfy({ isDigit($0) || [0x2E, 0x65, 0x45, 0x2D, 0x2B].contains($0) }),
      digits.contains(where: { [0x2E, 0x65, 0x45].contains($0) }), let number = Double(text), number.isFinite
    else { return nil }
    return number == 0 ? 0 : number
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether a text begins as `2026-11-21` does.
  private static func looksLikeDate(_ text: String) -> Bool {
    let start = Array(text.utf8.prefix(10))
    return start.count == 10
      && start.enumerated().allSatisfy { $0 == 4 || $0 == 7 ? $1 == UInt8(ascii: "-") : isDigit($1) }
  }

  private static func reference(_ text: String) throws(AppRefusal) -> Reference {
    let parts = text.dropFirst(2).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let actions: [String: Reference.Action] = ["delete": .deleteSelf, "validate": .validate]
    guard let name = parts.first, !name.isEmpty else {
      throw AppRefusal("\(text) names no record; expected ->NAME, or the text in double quotes")
    }
    guard parts.count == 2 else { return Reference(recordName: Name(name)) }
    guard let action = actions[parts[1]] else {
      throw AppRefusal("\(text) has no such action; expected ->\(name), ->\(name):delete or ->\(name):validate")
    }
    return Reference(recordName: Name(name), action: action)
  }

  private static func location(_ text: String) -> Location? {
    let parts = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], (-90...90).contains(latitude),
      (-180...180).contains(longitude)
    else { return nil }
    return Location(latitude: latitude, longitude: longitude)
  }

  /// The list of values of one type; of integers and numbers with fractions a list of the latter. Nil if they have different
  /// types.
  private static func list(_ values: [FieldValue]) -> FieldValue? {
    guard let first = values.first else { return .unknownList }
    func all<Element>(_ element: (FieldValue) -> Element?) -> [Element]? {
      let elements = values.compactMap(element)
      return elements.count == values.count ? elements : nil
    }
    return switch first {
    case .string: all { if case .string(let value) = $0 { value } else { nil } }.map { .stringList($0) }
    case .int64, .double:
      all { if case .int64(let value) = $0 { value } else { nil } }.map { .int64List($0) }
        ?? all { value -> Double? in
          switch value {
          case .int64(let number): Double(number)
          case .double(let number): number
          default: nil
          }
        }.map { .doubleList($0) }
    case .timestamp: all { if case .timestamp(let value) = $0 { value } else { nil } }.map { .timestampList($0) }
    case .reference: all { if case .reference(let value) = $0 { value } else { nil } }.map { .referenceList($0) }
    case .location: all { if case .location(let value) = $0 { value } else { nil } }.map { .locationList($0) }
    case .asset: all { if case .asset(let value) = $0 { value } else { nil } }.map { .assetList($0) }
    case .bytes: all { if case .bytes(let value) = $0 { value } else { nil } }.map { .bytesList($0) }
    default: nil
    }
  }
}
