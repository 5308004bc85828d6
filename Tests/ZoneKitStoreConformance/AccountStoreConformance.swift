import ZoneKitTableServer

/// What every `AccountStore` must do, one check a case. A conformer's tests run `violations` for each case and expect
/// none.
package enum AccountStoreConformance: String, CaseIterable, Sendable {
  case empty = "a store that nobody wrote to is empty"
  case stagedIsReadable = "reads see what is staged"
  case committedIsDurable = "what was committed is there after reopening"
  case stagedIsLost = "what was only staged is gone after reopening"
  case closing = "closing drops what was only staged, and keeps what was committed"
  case exactContent = "texts, times and metadata come back as they went in"
  case replacing = "what is saved takes the place of the one before"
  case lists = "accounts, sessions and tokens are listed in their order, accounts in pages"
  case removedSession = "a removed session takes its tokens along, and no others"
  case removedAccount = "a removed account takes its sessions, tokens and claims along, and no others"
  case claims = "a claimed row keeps its owner"
  case oneEmail = "two accounts with one e-mail address are not committed"
  case failedCommit = "a commit that fails keeps nothing of its turn, and the next one is made"

  /// What the store does wrong, a sentence each; empty where it does all as it must.
  ///
  /// - Parameters:
  ///   - make: Makes an empty store that shares nothing with one made before.
  ///   - reopen: Ends the store as a crash would, and opens what it left behind.
  ///   - failNextCommit: Makes the next commit fail.
  package func violations<Store: AccountStore>(
    make: () throws -> Store, reopen: (consuming Store) throws -> Store, failNextCommit: (inout Store) throws -> Void
  ) throws -> [String] {
    var trial = AccountStoreTrial(store: try make())
    switch self {
    case .empty: try trial.checkEmpty()
    case .stagedIsReadable: try trial.checkStagedIsReadable()
    case .committedIsDurable: try trial.checkCommittedIsDurable(reopen)
    case .stagedIsLost: try trial.checkStagedIsLost(reopen)
    case .closing: try trial.checkClosing(reopen)
    case .exactContent: try trial.checkExactContent(reopen)
    case .replacing: try trial.checkReplacing(reopen)
    case .lists: try trial.checkLists()
    case .removedSession: try trial.checkRemovedSession(reopen)
    case .removedAccount: try trial.checkRemovedAccount(reopen)
    case .claims: try trial.checkClaims(reopen)
    case .oneEmail: try trial.checkOneEmail()
    case .failedCommit: try trial.checkFailedCommit(reopen, failNextCommit)
    }
    return trial.violations
  }
}
