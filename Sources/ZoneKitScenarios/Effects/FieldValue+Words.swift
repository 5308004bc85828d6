import ZoneKitRecords

extension FieldValue {
  /// A value as traces and failures of scenarios show it; `none` for a missing field.
  package static func words(_ value: FieldValue?) -> String {
    switch value {
    case nil: "none"
    case .string(let text)?: ScenarioWord.named(text)
    case .int64(let number)?: String(number)
    case .double(let number)?: "\(number)"
    case .timestamp(let time)?: time.iso8601
    case .reference(let reference)?: "-> \(reference.recordName.short)"
    case let value?: "of type \(value.type.rawValue)"
    }
  }
}

extension Name {
  /// The beginning of a name that is too long to be shown whole, after its table or collection: `persons/26dd2565`,
  /// `foodLogs CF4DDBDE`. Random names differ there too. Dates stay whole.
  package var short: String {
    if let slash = text.lastIndex(of: "/") { return text[..<slash] + "/" + text[slash...].dropFirst().prefix(8) }
    guard let dot = text.firstIndex(of: ".") else { return String(text.prefix(8)) }
    let id = text[dot...].dropFirst()
    return "\(text[..<dot]) \(id.count > 10 ? id.prefix(8) : id)"
  }
}
