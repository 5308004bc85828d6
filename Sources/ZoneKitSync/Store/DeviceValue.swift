/// One small fact that a device remembers under a key, kept so that a person with a database shell can read it.
public enum DeviceValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A whole number.
  case integer(Int64)

  /// The text; nil for a number.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .integer: nil
    }
  }

  /// The number; nil for a text.
  public var integer: Int64? {
    switch self {
    case .text: nil
    case .integer(let integer): integer
    }
  }
}
