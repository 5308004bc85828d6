import ZoneKitRecords

/// Writes JSON values as YAML 1.2 for people: members on lines of their own, and short values on one line.
package enum YAMLText {
  private static let lineLength = 120

  /// The text of an object.
  package static func text(_ json: JSON) -> String {
    lines(json, indent: 0).map { $0 + "\n" }.joined()
  }

  private static func lines(_ json: JSON, indent: Int) -> [String] {
    let margin = String(repeating: "  ", count: indent)
    switch json {
    case .object(let members) where !members.isEmpty:
      return members.flatMap { lines(scalar($0.key) + ":", $0.value, margin, indent: indent + 1) }
    case .array(let elements) where !elements.isEmpty:
      return elements.flatMap { lines("-", $0, margin, indent: indent + 1) }
    case .null, .bool, .integer, .number, .string, .verbatim, .array, .object: return [margin + flow(json)]
    }
  }

  /// A value behind the start of its first line: on that line if it fits, and on lines of its own otherwise.
  private static func lines(_ start: String, _ value: JSON, _ margin: String, indent: Int) -> [String] {
    let line = "\(margin)\(start) \(flow(value))"
    if line.utf8.count <= lineLength || !hasParts(value) { return [line] }
    return ["\(margin)\(start)"] + lines(value, indent: indent)
  }

  private static func hasParts(_ json: JSON) -> Bool {
    switch json {
    case .object(let members): !members.isEmpty
    case .array(let elements): !elements.isEmpty
    case .null, .bool, .integer, .number, .string, .verbatim: false
    }
  }

  private static func flow(_ json: JSON) -> String {
    switch json {
    case .object(let members):
      "{\(members.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", "))}"
    case .array(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
    case .string(let text): scalar(text)
    case .null, .bool, .integer, .number, .verbatim: json.text()
    }
  }

  /// A text: as it is if it cannot be read as anything else, and in quotation marks otherwise.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map(isLetter) ?? false
      && text.utf8.allSatisfy { isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return isPlain && !words.contains(text.lowercased()) ? text : JSON.string(text).text()
  }

  /// Texts that some readers take for other values.
  private static let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan"]

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }
}
