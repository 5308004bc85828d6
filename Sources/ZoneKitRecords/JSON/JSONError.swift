/// A syntax error in a JSON document: its place, what was found and what was expected.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The offset of the first wrong byte, from 0; the length of the document if it ends too early.
  public let offset: Int
  /// The line of that byte, from 1.
  public let line: Int
  /// What was expected there and what was found.
  public let message: String

  /// Makes an error.
  public init(offset: Int, line: Int, message: String) {
    self.offset = offset
    self.line = line
    self.message = message
  }

  /// One sentence with the place.
  public var description: String { "line \(line), byte \(offset): \(message)" }
}
