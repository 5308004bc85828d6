/// A feed of changes of an account's documents.
package enum DocumentFeed: String, CaseIterable, Hashable, Sendable {
  /// The documents of the app.
  case documents
  /// The conflict journal: pairs of versions of which one lost.
  case conflicts
}
