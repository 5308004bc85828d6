import ZoneKitRecords
import ZoneKitTableServer

/// Everything of a damaged file of accounts that can be read.
struct AccountSalvage {
  /// What was read. A session without its account, and a refresh token without its session, is left out.
  private(set) var content = AccountTransition()
  /// Whether something may be missing.
  private(set) var isIncomplete = false

  /// Reads that file. Throws if it cannot be opened for another reason than damage, for example because a newer version
  /// wrote it.
  init(path: String) throws(StoreError) {
    try read(path)
    if content.accounts.isEmpty, isIncomplete {
      try FirstPage.replace(of: path) { path throws(StoreError) in
        _ = try AccountFile(path, of: nil, access: .create)
      } read: { path throws(StoreError) in
        try read(path)
      }
    }
    let accounts = Set(content.accounts.map(\.account.id))
    content.sessions.removeAll { !accounts.contains($0.account) }
    let sessions = Set(content.sessions.map(\.id))
    content.tokens.removeAll { !sessions.contains($0.session) }
  }

  private mutating func read(_ path: String) throws(StoreError) {
    let file: AccountFile
    do throws(StoreError) {
      file = try AccountFile(path, of: nil, access: .observe, isDamaged: true)
    } catch {
      guard error.kind == .corrupt else { throw error }
      isIncomplete = true
      return
    }
    content.accounts = read(file.allAccounts) { $0.account.id }
    content.sessions = read(file.allSessions, key: \.id)
    content.tokens = read(file.allTokens, key: \.hash)
    content.claims = read(file.allClaims, key: \.row)
  }

  /// The rows that can be read, each once. `visit` calls its argument with each row; with nil for a damaged one.
  private mutating func read<Item, Key: Hashable>(
    _ visit: ((Item?) -> Void) throws(StoreError) -> Void, key: (Item) -> Key
  ) -> [Item] {
    var items: [Item] = []
    var damaged = 0
    do throws(StoreError) {
      try visit { item in
        if let item { items.append(item) } else { damaged += 1 }
      }
    } catch {
      damaged += 1
    }
    var known: Set<Key> = []
    items.removeAll { !known.insert(key($0)).inserted }
    if damaged > 0 { isIncomplete = true }
    return items
  }
}
