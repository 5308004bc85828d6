import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// What an administrator does with accounts.
extension AccountService {
  /// The e-mail address of a user whose name is an account's identifier; nil for any other user.
  func email(of user: Name) -> String? { store.email(of: user) }

  /// An operation arrived. `complete` is called with the answer after the commit.
  func administer(_ operation: AccountAdministration, complete: @escaping (AccountResponse) -> Void) {
    guard case .add(_, let password, _) = operation else {
      return receive(operation.event(in: store), complete: complete)
    }
    receive(hashing: password, event: { operation.event(in: self.store, $0) }, complete: complete)
  }
}

extension AccountStore {
  /// All accounts, in the order of their creation. They are read in pages.
  func list(by page: Int = 500) throws(StoreError) -> [JSON] {
    var list: [JSON] = []
    while true {
      let found = try accounts(after: list.count, limit: page)
      for known in found { list.append(json(known.account, sessions: try sessions(of: known.account.id))) }
      if found.count < page { return list }
    }
  }

  private func json(_ account: Account, sessions: [StoredSession]) -> JSON {
    [
      "id": .string(account.id.text), "email": .string(account.email), "createdAt": .string(account.createdAt.iso8601),
      "lastSignInAt": account.lastSignInAt.map { .string($0.iso8601) } ?? .null,
      "sessions": .integer(Int64(sessions.count)),
    ]
  }
}

extension AccountAdministration {
  /// The operation as a request to the accounts in that store. `record` is that of the password of an account to be added.
  func event(in store: some AccountStore, _ record: PasswordRecord? = nil) -> AccountEvent {
    do throws(AccountError) {
      return switch self {
      case .add(let email, _, let id): .create(AccountChange(email: email, password: record), id: id)
      case .remove(let user): .remove(try Self.identifier(of: user, in: store))
      case .endSessions(let user): .endSessions(try Self.identifier(of: user, in: store))
      }
    } catch {
      return .refused(error)
    }
  }

  /// The identifier of the account with that e-mail address or identifier.
  private static func identifier(of user: String, in store: some AccountStore) throws(AccountError) -> UUID {
    if let id = UUID(user) { return id }
    do throws(StoreError) {
      if let known = try store.account(meant: user) { return known.id }
    } catch {
      throw .unavailable(error)
    }
    throw .unknownAccount
  }
}
