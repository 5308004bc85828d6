import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// What an administrator does with accounts.
extension AccountService {
  /// The e-mail address of a user whose name is an account's identifier; nil for any other user.
  func email(of user: Name) -> String? { store.email(of: user) }

  /// The number of accounts that are read at once.
  private static let page = 500

  /// An operation arrived. `complete` is called with the answer after the commit.
  func administer(_ operation: AccountAdministration, complete: @escaping (AccountResponse) -> Void) {
    do throws(AccountError) {
      switch operation {
      case .add(let email, let password, let id):
        receive(
          hashing: password, event: { .create(AccountChange(email: email, password: $0), id: id) }, complete: complete)
      case .remove(let user): receive(.remove(try identifier(of: user)), complete: complete)
      case .endSessions(let user): receive(.endSessions(try identifier(of: user)), complete: complete)
      }
    } catch {
      receive(.refused(error), complete: complete)
    }
  }

  /// The identifier of the account with that e-mail address or identifier.
  private func identifier(of user: String) throws(AccountError) -> UUID {
    if let id = UUID(user) { return id }
    let known: StoredAccount?
    do throws(StoreError) {
      known = try AccountRules.email(user).flatMap { (email) throws(StoreError) in try store.account(email: email) }
    } catch {
      throw .unavailable(error)
    }
    guard let known else { throw .unknownAccount }
    return known.account.id
  }

  /// All accounts of a store, in the order of their creation.
  static func list(_ store: AccountFiles) throws(StoreError) -> [JSON] {
    var list: [JSON] = []
    while true {
      let found = try store.accounts(after: list.count, limit: page)
      for known in found { list.append(json(known.account, sessions: try store.sessions(of: known.account.id))) }
      if found.count < page { return list }
    }
  }

  private static func json(_ account: Account, sessions: [StoredSession]) -> JSON {
    [
      "id": .string(account.id.text), "email": .string(account.email), "createdAt": .string(account.createdAt.iso8601),
      "lastSignInAt": account.lastSignInAt.map { .string($0.iso8601) } ?? .null,
      "sessions": .integer(Int64(sessions.count)),
    ]
  }
}
