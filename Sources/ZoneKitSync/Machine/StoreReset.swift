/// What a scripted reset forgets on a device. The cloud is never touched.
public enum StoreReset: Hashable, Sendable {
  /// The positions in the feeds: everything is fetched anew and compared.
  case tokens
  /// Records and positions; unsent edits stay where `keepingPending` is true, else they go to the journal.
  case local(keepingPending: Bool)
}
