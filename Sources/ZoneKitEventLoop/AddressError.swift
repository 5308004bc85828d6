/// Why a text is not an address: what was given, what is wrong with it, and what would be right.
package struct AddressError: Error, Equatable, CustomStringConvertible {
  /// The text as it was given.
  package let text: String
  /// What is wrong with it and what would be right, as the end of a sentence.
  package let problem: String

  /// The whole sentence, for the user who entered the address.
  package var description: String { "\"\(text)\" is not an address: \(problem)" }
}
