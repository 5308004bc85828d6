import Foundation
import ZoneKitRecords

/// The codec of JSON: what was read is written alike, and Foundation reads the same.
enum JSONProperties {
  /// Checks the properties for a document.
  static func check(_ bytes: [UInt8]) throws {
    let foreign = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      try Violation.unless(error.offset <= bytes.count, "the error is behind the end: \(error)")
      let known = foreign == nil || isStricter(error, bytes)
      return try Violation.unless(known, "refused without a rule: \(error)")
    }
    try checkWriting(json)
    try checkExact(bytes, json)
    guard let foreign else { throw Violation("Foundation refuses \(json)") }
    try Violation.unless(isEqual(json, foreign), "Foundation reads \(foreign), not \(json)")
  }

  private static func checkWriting(_ json: JSON) throws {
    for style in [JSON.Style.compact, .pretty] {
      let again = try JSON(parsing: json.bytes(style))
      try Violation.unless(again == json, "written and read again it is \(again), not \(json)")
    }
    let canonical = json.bytes(.canonical)
    let again = try JSON(parsing: canonical).bytes(.canonical)
    try Violation.unless(again == canonical, "the canonical text is not final: \(json)")
  }

  /// A document that is read exactly is written as it was, but for blanks.
  private static func checkExact(_ bytes: [UInt8], _ json: JSON) throws {
    let written = try JSON(exactly: bytes).bytes()
    let again = try JSON(parsing: written)
    try Violation.unless(again == json, "read exactly it is \(again), not \(json)")
    try Violation.unless(try JSON(exactly: written).bytes() == written, "the exact text is not final: \(json)")
  }

  /// Whether a document that Foundation takes is refused deliberately: a byte order mark, an encoding other than UTF-8 (which
  /// has a zero among the first bytes), nesting beyond the limit, a number beyond Double's range, and what RFC 8259 does not have
  /// and Foundation lets pass: a comma behind the last element, half of a surrogate pair, and bytes in strings that are not UTF-8.
  private static func isStricter(_ error: JSONError, _ bytes: [UInt8]) -> Bool {
    if bytes.prefix(4).contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.starts(with: [0xFE, 0xFF])
    {
      return true
    }
    return [
      "expected a value, found ']'", "expected a name in quotes, found '}'", "nested arrays and objects",
      "within the range of a Double", "a pair of surrogates", "expected UTF-8",
    ]
    .contains { error.message.contains($0) }
  }

  private static func isEqual(_ json: JSON, _ foreign: Any) -> Bool {
    switch json {
    case .null: foreign is NSNull
    case .bool(let value): foreign as? Bool == value
    case .integer(let value): (foreign as? NSNumber)?.int64Value == value
    case .number(let value): (foreign as? NSNumber).map { isEqual(value, $0.doubleValue) } ?? false
    case .string(let value): foreign as? String == value
    case .verbatim: false
    case .array(let elements):
      (foreign as? [Any]).map { zip(elements, $0).allSatisfy { isEqual($0, $1) } && elements.count == $0.count }
        ?? false
    case .object(let members): isEqual(members, foreign as? [String: Any])
    }
  }

  /// Foundation reads many digits as a decimal number and multiplies by powers of ten, each time with an error.
  private static func isEqual(_ number: Double, _ foreign: Double) -> Bool {
    number == foreign || (number - foreign).magnitude <= 1e-12 * number.magnitude + 1e-300
  }

  /// Which of several members with the same name counts is open (RFC 8259, 4).
  private static func isEqual(_ members: [JSON.Member], _ foreign: [String: Any]?) -> Bool {
    guard let foreign else { return false }
    let names = Set(members.map(\.key))
    guard names.count == foreign.count else { return false }
    guard names.count == members.count else { return true }
    return members.allSatisfy { member in foreign[member.key].map { isEqual(member.value, $0) } ?? false }
  }
}
