import ZoneKitRecords

/// Writes a stored field text in the form that a client requested: only some fields, or numbers as strings.
struct FieldTextFilter {
  let shape: ItemShape

  private static let numericTypes: Set<String> = [
    "INT64", "DOUBLE", "TIMESTAMP", "INT64_LIST", "DOUBLE_LIST", "TIMESTAMP_LIST",
  ]

  /// Appends the filtered text. A text that is no JSON object, which only a damaged file contains, is appended
  /// unchanged, so that the damage is visible.
  func append(_ fields: Span<UInt8>, to output: inout [UInt8]) {
    guard let members = (try? JSON(parsing: fields))?.object else {
      output.append(copying: fields)
      return
    }
    let kept = members.filter { member in shape.desiredKeys.map { $0.contains(Name(member.key)) } ?? true }
    output.appendJSON(.object(shape.numbersAsStrings ? kept.map(withStrings) : kept))
  }

  /// Only `value` changes. Sizes and coordinates stay numbers (CloudKit Web Services, c.4).
  private func withStrings(_ member: JSON.Member) -> JSON.Member {
    guard let type = member.value["type"]?.string, Self.numericTypes.contains(type),
      let parts = member.value.object
    else { return member }
    return JSON.Member(
      member.key,
      .object(parts.map { $0.key == "value" ? JSON.Member("value", Self.string($0.value)) : $0 }))
  }

  private static func string(_ json: JSON) -> JSON {
    switch json {
    case .integer, .number, .verbatim: .string(json.text())
    case .array(let elements): .array(elements.map(string))
    case .null, .bool, .string, .object: json
    }
  }
}
