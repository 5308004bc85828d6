import ZoneKitRecords

extension ScenarioValue {
  /// The value as a client without a device writes it in a message.
  package var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .integer(number)
    case .none: .null
    }
  }
}
