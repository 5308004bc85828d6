/// A value in a device's store, readable in a database shell.
public enum DeviceValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// An integer.
  case integer(Int64)

  /// The text; nil for a number.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .integer: nil
    }
  }

  /// The integer; nil for a text.
  public var integer: Int64? {
    switch self {
    case .text: nil
    case .integer(let integer): integer
    }
  }
}
