import ZoneKitRecords

/// A text that PostgreSQL's parser does not accept: what is wrong, in its words, and where.
package struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package var message: String
  /// The place in the text; nil if it is the text as a whole.
  package var place: TextPlace?

  /// An error at that place.
  package init(_ message: String, at place: TextPlace?) {
    self.message = message
    self.place = place
  }

  /// The place, if there is one, and the message.
  package var description: String { place.map { "\($0): \(message)" } ?? message }
}

/// PostgreSQL's grammar: the tree of a text of SQL statements, as libpg_query writes it.
package typealias SQLGrammar = (String) throws(SQLError) -> JSON
