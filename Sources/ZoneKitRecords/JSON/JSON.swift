/// A JSON value (RFC 8259) that keeps what a document said: integers exact, members in order, duplicates included.
///
/// Two values are equal when they are written alike: `1` is not `1.0`, and members in another order are another object.
/// Strings compare as Swift's do, by canonical equivalence; where bytes decide, compare the canonical rendering.
public enum JSON: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string, unescaped.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object with its members in the order of the document.
  case object([Member])

  /// One name and its value in an object.
  public struct Member: Equatable, Sendable {
    /// The name, unescaped.
    public var key: String
    /// The value under that name.
    public var value: JSON

    /// Makes a member.
    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// How many arrays and objects may be open at once in a parsed document; one more is an error.
  public static let depthLimit = 64
}

extension JSON {
  /// The value under `key`, the last one where the name is repeated; nil where it is absent or this is no object.
  public subscript(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    var index = members.count - 1
    while index >= 0 {
      if members[index].key == key { return members[index].value }
      index -= 1
    }
    return nil
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// The truth value, or nil where this is something else.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The exact integer, or nil where this is something else; `1.0` is not an integer.
  public var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The number as a Double, rounded where an integer is beyond 2^53; nil where this is no number.
  public var number: Double? {
    switch self {
    case .integer(let value): return Double(value)
    case .number(let value): return value
    case .null, .bool, .string, .array, .object: return nil
    }
  }

  /// The string, or nil where this is something else.
  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements, or nil where this is something else.
  public var array: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members in the order written, or nil where this is something else.
  public var object: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The kind of this value, as an error message names it: "a string", "an object".
  public var kind: String {
    switch self {
    case .null: return "null"
    case .bool: return "a boolean"
    case .integer: return "an integer"
    case .number: return "a number"
    case .string: return "a string"
    case .array: return "an array"
    case .object: return "an object"
    }
  }
}
