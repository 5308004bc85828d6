import ZoneKitDeviceHost
import ZoneKitRecords

/// Fits a value to the type that a field has already. CloudKit gives a field of a record type one type, and refuses others.
enum FieldFit {
  /// The value as that type: a whole number fits a field of numbers, and an empty list one of any list. Throws a sentence
  /// with the nearest valid form if it does not fit.
  static func value(
    _ value: FieldValue, as type: FieldType, typed: CommandWords.Assignment, in recordType: Name
  ) throws(AppRefusal) -> FieldValue {
    if value.type == type || type == .unknownList && value.type.isList { return value }
    switch (value, type) {
    case (.int64(let number), .double): return .double(Double(number))
    case (.int64List(let numbers), .doubleList): return .doubleList(numbers.map(Double.init))
    case (.bytes(let bytes), .encryptedBytes): return .encryptedBytes(bytes)
    case (.unknownList, _) where type.isList: return empty(type)
    default:
      let source = typed.list == nil ? typed.value.source : "the list"
      throw AppRefusal(
        "\(typed.name) of \(recordType) is \(type.rawValue), and \(source) is \(value.type.rawValue); "
          + "expected \(typed.name)=\(form(of: type, typed))")
    }
  }

  /// A valid form for a field of that type: what was typed where quotes make it one, otherwise an example.
  private static func form(of type: FieldType, _ typed: CommandWords.Assignment) -> String {
    switch type {
    case .string: CommandWords.Word(typed.value.text, isQuoted: true).source
    case .int64: "12"
    case .double: "1.5"
    case .timestamp: "2026-11-21T06:06:01Z"
    case .reference: "->NAME"
    case .location: "@46.95,7.45"
    case .bytes, .encryptedBytes: "base64:AAEC"
    case .stringList: "[a,b]"
    case .int64List: "[1,2]"
    case .doubleList: "[1.5,2]"
    case .timestampList: "[2026-11-21T06:06:01Z]"
    case .referenceList: "[->NAME]"
    case .bytesList: "[base64:AAEC]"
    case .asset: "asset:CHECKSUM:SIZE"
    case .locationList, .assetList, .unknownList: "[]"
    }
  }

  /// The empty list of that type.
  private static func empty(_ type: FieldType) -> FieldValue {
    switch type {
    case .stringList: .stringList([])
    case .int64List: .int64List([])
    case .doubleList: .doubleList([])
    case .bytesList: .bytesList([])
    case .timestampList: .timestampList([])
    case .referenceList: .referenceList([])
    case .locationList: .locationList([])
    case .assetList: .assetList([])
    default: .unknownList
    }
  }
}

extension FieldType {
  /// Whether values of the type are lists.
  fileprivate var isList: Bool { self == .unknownList || rawValue.hasSuffix("_LIST") }
}
