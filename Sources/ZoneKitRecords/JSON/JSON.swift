/// A JSON value (RFC 8259). It keeps integers exact, and members in their order and with duplicates.
///
/// Two values are equal if they are written alike: `1` is not `1.0`, and objects with a different order of members are
/// different. Strings are compared by canonical equivalence, as in Swift. To compare bytes, compare the canonical text.
public enum JSON: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string, unescaped.
  case string(String)
  /// A number or string that was written in another way than it is written here. Only `init(exactly:)` makes it.
  case verbatim(Verbatim)
  /// An array.
  case array([JSON])
  /// An object with its members in the order of the document.
  case object([Member])

  /// A member of an object.
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

  /// A number or string with the text that it had in a document.
  public struct Verbatim: Equatable, Sendable {
    /// The JSON text.
    public let text: String
    /// The string, unescaped; nil for a number.
    public let string: String?
    /// The nearest Double; nil for a string, and for a number beyond Double's range.
    public let number: Double?

    /// The value as `init(parsing:)` reads it; null for a number beyond Double's range.
    package var interpreted: JSON { string.map { .string($0) } ?? number.map { .number($0) } ?? .null }
  }

  /// The deepest nesting of arrays and objects in a parsed document.
  public static let depthLimit = 64
}

extension JSON {
  /// The value of `key`, the last one if the key is repeated; nil if it is absent or this is not an object.
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

  /// The Boolean; nil for any other value.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The exact integer; nil for any other value. `1.0` is not an integer.
  public var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The number as a Double, rounded for an integer beyond 2^53; nil if this is not a number.
  public var number: Double? {
    switch self {
    case .integer(let value): return Double(value)
    case .number(let value): return value
    case .verbatim(let value): return value.number
    case .null, .bool, .string, .array, .object: return nil
    }
  }

  /// The string; nil for any other value.
  public var string: String? {
    switch self {
    case .string(let value): return value
    case .verbatim(let value): return value.string
    case .null, .bool, .integer, .number, .array, .object: return nil
    }
  }

  /// The elements; nil for any other value.
  public var array: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members in their order; nil for any other value.
  public var object: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The kind of this value for errors, such as "a string" or "an object".
  public var kind: String {
    switch self {
    case .null: return "null"
    case .bool: return "a boolean"
    case .integer: return "an integer"
    case .number: return "a number"
    case .string: return "a string"
    case .verbatim(let value): return value.string == nil ? "a number" : "a string"
    case .array: return "an array"
    case .object: return "an object"
    }
  }
}
