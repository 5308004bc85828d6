import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The accounts whose rows and objects are maintained.
package enum MaintainedAccounts: Hashable, Sendable {
  /// All accounts.
  case all
  /// The account with that e-mail address or identifier. It is an error if there is none.
  case named(String)
  /// The account with that identifier, whether it exists or not.
  case account(UUID)
  /// The accounts that do not exist and have a database.
  case orphans
}

/// An account whose rows are maintained. It may be gone.
package struct MaintainedAccount: Hashable, Sendable {
  /// The identifier.
  package let id: UUID
  /// The e-mail address; nil if there is no such account.
  package let email: String?

  /// An account that exists.
  init(_ account: Account) { (id, email) = (account.id, account.email) }

  /// The identifier of an account that may be gone.
  init(orphan id: UUID) { (self.id, email) = (id, nil) }
}

/// The report on one account that was maintained.
package struct AccountMaintenance: Hashable, Sendable {
  /// The account.
  package let account: MaintainedAccount
  /// What was found and done.
  package let report: MaintenanceReport

  /// Whether the account is listed. The folder of one that is gone stays, and is mentioned only if it holds anything.
  var isListed: Bool { account.email != nil || !report.isEmpty }
}

extension AccountStore {
  /// The account with that e-mail address or identifier; nil if there is none.
  package func account(meant user: String) throws(StoreError) -> Account? {
    if let id = UUID(user) { return try account(id)?.account }
    guard let email = AccountRules.email(user) else { return nil }
    return try account(email: email)?.account
  }
}
