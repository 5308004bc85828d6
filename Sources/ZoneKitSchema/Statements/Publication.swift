/// The tables of a publication.
package enum PublicationScope: Equatable, Sendable {
  /// These tables; none at first for an empty list.
  case tables([SQLName])
  /// All tables, also those that come later.
  case allTables

  /// The one publication that a schema may name.
  package static let name = "supabase_realtime"
}

/// What is done with the tables that a statement names. The raw value is how it is written.
package enum PublicationChange: String, Equatable, Sendable, CaseIterable {
  case add = "ADD"
  case drop = "DROP"
  case set = "SET"
}
