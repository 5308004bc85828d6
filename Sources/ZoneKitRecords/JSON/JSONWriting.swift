extension JSON {
  /// A layout of JSON text.
  public enum Style: Sendable {
    /// No whitespace, members in their order.
    case compact
    /// Two spaces of indentation per level, members in their order.
    case pretty
    /// The canonical text: no whitespace, members sorted by the UTF-8 bytes of their names, and the last of repeated
    /// names only.
    case canonical
  }

  /// The value as UTF-8. A number that is not finite is written as `null`.
  public func bytes(_ style: Style = .compact) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSON(self, style)
    return bytes
  }

  /// The value as text. A number that is not finite is written as `null`.
  public func text(_ style: Style = .compact) -> String {
    String(decoding: bytes(style), as: UTF8.self)
  }
}

extension JSON: CustomStringConvertible {
  /// The compact text.
  public var description: String { text() }
}

extension [UInt8] {
  /// Appends the text of a value. A number that is not finite is written as `null`.
  package mutating func appendJSON(_ value: JSON, _ style: JSON.Style = .compact) {
    switch style {
    case .compact: appendCompact(value, sorted: false)
    case .canonical: appendCompact(value, sorted: true)
    case .pretty: appendPretty(value, indent: 0)
    }
  }

  private mutating func appendCompact(_ value: JSON, sorted: Bool) {
    switch value {
    case .array(let elements):
      append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        appendCompact(element, sorted: sorted)
      }
      append(UInt8(ascii: "]"))
    case .object(let members):
      append(UInt8(ascii: "{"))
      for (index, member) in (sorted ? canonicalOrder(members) : members).enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        appendJSONString(member.key)
        append(UInt8(ascii: ":"))
        appendCompact(member.value, sorted: sorted)
      }
      append(UInt8(ascii: "}"))
    case .null, .bool, .integer, .number, .string, .verbatim:
      appendScalar(value)
    }
  }

  private mutating func appendPretty(_ value: JSON, indent: Int) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        appendLineBreak(comma: index > 0, indent: indent + 1)
        appendPretty(element, indent: indent + 1)
      }
      appendLineBreak(comma: false, indent: indent)
      append(UInt8(ascii: "]"))
    case .object(let members) where !members.isEmpty:
      append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        appendLineBreak(comma: index > 0, indent: indent + 1)
        appendJSONString(member.key)
        append(literal: ": ")
        appendPretty(member.value, indent: indent + 1)
      }
      appendLineBreak(comma: false, indent: indent)
      append(UInt8(ascii: "}"))
    case .null, .bool, .integer, .number, .string, .verbatim, .array, .object:
      appendCompact(value, sorted: false)
    }
  }

  private mutating func appendLineBreak(comma: Bool, indent: Int) {
    if comma { append(UInt8(ascii: ",")) }
    append(0x0A)
    append(contentsOf: repeatElement(0x20, count: 2 * indent))
  }

  private mutating func appendScalar(_ value: JSON) {
    switch value {
    case .null: append(literal: "null")
    case .bool(let value): append(literal: value ? "true" : "false")
    case .integer(let value): appendDecimal(value)
    case .number(let value): appendJSONNumber(value)
    case .string(let value): appendJSONString(value)
    case .verbatim(let value): append(literal: value.text)
    case .array, .object: preconditionFailure("an array or object is no scalar")
    }
  }
}

/// The members sorted by the bytes of their names, without those that a later member of the same name replaces.
private func canonicalOrder(_ members: [JSON.Member]) -> [JSON.Member] {
  let isOrdered = members.indices.dropFirst().allSatisfy { members[$0 - 1].comesBefore(members[$0]) }
  guard !isOrdered else { return members }
  var last: [JSON.Member] = []
  last.reserveCapacity(members.count)
  // The sort is stable, so the last of equal names stays the last.
  for member in members.sorted(by: { $0.comesBefore($1) }) {
    if let before = last.last, !before.comesBefore(member) { last.removeLast() }
    last.append(member)
  }
  return last
}

extension JSON.Member {
  /// Whether the bytes of the name come before those of another one.
  fileprivate func comesBefore(_ other: JSON.Member) -> Bool { key.utf8.span.comesBefore(other.key.utf8.span) }
}
