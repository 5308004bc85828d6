/// What a scripted reset removes from a device. The cloud is unchanged.
public enum StoreReset: Hashable, Sendable {
  /// The change tokens. Everything is fetched again and compared.
  case tokens
  /// Records and change tokens. Unsent edits are kept if `keepingPending` is true; otherwise they are moved to the
  /// journal.
  case local(keepingPending: Bool)
}
