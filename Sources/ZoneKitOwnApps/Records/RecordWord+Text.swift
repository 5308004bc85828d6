import ZoneKitDeviceHost
import ZoneKitRecords

extension RecordWord {
  /// The word that users read of a value, and with which they give a field that value. Altitudes and other details of
  /// locations are left out.
  static func text(of value: FieldValue) -> String {
    switch value {
    case .string(let text): word(text)
    case .int64(let number): String(number)
    case .double(let number): decimal(number)
    case .bytes(let bytes), .encryptedBytes(let bytes): "base64:\(Base64.encode(bytes))"
    case .timestamp(let time): time.iso8601
    case .reference(let reference): text(of: reference)
    case .location(let location): "@\(decimal(location.latitude)),\(decimal(location.longitude))"
    case .asset(let asset): text(of: asset)
    case .stringList(let texts): list(texts.map { word($0, inList: true) })
    case .int64List(let numbers): list(numbers.map { String($0) })
    case .doubleList(let numbers): list(numbers.map(decimal))
    case .bytesList(let parts): list(parts.map { "base64:\(Base64.encode($0))" })
    case .timestampList(let times): list(times.map(\.iso8601))
    case .referenceList(let references): list(references.map(text))
    case .locationList(let locations): list(locations.map { text(of: .location($0)) })
    case .assetList(let assets): list(assets.map(text))
    case .unknownList: "[]"
    }
  }

  private static func list(_ words: [String]) -> String { "[\(words.joined(separator: ","))]" }

  private static func decimal(_ number: Double) -> String { "\(number)" }

  private static func text(of asset: Asset) -> String { "asset:\(asset.fileChecksum):\(asset.size)" }

  private static func text(of reference: Reference) -> String {
    let action =
      switch reference.action {
      case .none: ""
      case .deleteSelf: ":delete"
      case .validate: ":validate"
      }
    return "->\(reference.recordName)\(action)"
  }

  /// The text, in quotes where it would be read as another value or as several words.
  private static func word(_ text: String, inList: Bool = false) -> String {
    let hasMarks = text.isEmpty || text.contains { $0.isWhitespace || $0 == "\"" || inList && $0 == "," }
    let typed = CommandWords.Word(text)
    let isOther =
      text == "none" || text.hasPrefix("[")
      || (try? value(of: CommandWords.Assignment("x", typed), now: WallTime(milliseconds: 0), in: .utc))
        != .string(text)
    return hasMarks || isOther ? CommandWords.Word(text, isQuoted: true).source : text
  }
}
