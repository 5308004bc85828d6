/// Why a statement or a value is refused, in PostgreSQL's words.
package struct SQLFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// PostgreSQL's code of an error (PostgreSQL 15, appendix A).
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The five characters.
    package let rawValue: String

    /// The code with those characters.
    package init(rawValue: String) { self.rawValue = rawValue }
    private init(_ text: String) { rawValue = text }

    /// A text is longer than its type allows.
    package static let textTooLong = Code("22001")
    /// A number is beyond the range of its type.
    package static let numberOutOfRange = Code("22003")
    /// A text is no date or time.
    package static let invalidTime = Code("22007")
    /// A date or time has a part that does not exist.
    package static let timeOutOfRange = Code("22008")
    /// A number is divided by zero.
    package static let divisionByZero = Code("22012")
    /// A parameter has a value that is not allowed.
    package static let invalidParameter = Code("22023")
    /// A zone is too far from UTC.
    package static let timeZoneOutOfRange = Code("22009")
    /// A text has a character that no text of PostgreSQL can have.
    package static let unsupportedCharacter = Code("22P05")
    /// A text is no value of its type.
    package static let invalidText = Code("22P02")
  }

  /// The code.
  package var code: Code
  /// The message.
  package var message: String
  /// More about the cause; nil if there is nothing to add.
  package var detail: String?
  /// What would be right; nil if that is not known.
  package var hint: String?

  /// A failure with that code.
  package init(_ code: Code, _ message: String, detail: String? = nil, hint: String? = nil) {
    self.code = code
    self.message = message
    self.detail = detail
    self.hint = hint
  }

  /// The message, with the detail if there is one.
  package var description: String { detail.map { "\(message): \($0)" } ?? message }
}
