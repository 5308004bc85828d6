/// Why bytes are not a JSON document: where it goes wrong, what is there, and what was expected.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The first byte that cannot belong to a document, counted from 0; the length where the document ends too early.
  public let offset: Int
  /// The line of that byte, counted from 1 by line feeds.
  public let line: Int
  /// What was expected there and what was found.
  public let message: String

  /// Makes an error.
  public init(offset: Int, line: Int, message: String) {
    self.offset = offset
    self.line = line
    self.message = message
  }

  /// One sentence for people, with the place.
  public var description: String { "line \(line), byte \(offset): \(message)" }
}
