import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

extension MigrationPlan {
  /// What a migration of Swiss Coin's rows does: sixteen steps, and a comparison of rows and balances.
  package static let swissCoin = MigrationPlan(
    steps: steps, tables: SwissCoin.schema.tables.map(\.name),
    person: { SwissCoin.recordID("persons", RowKey([$0])) },
    questions: { (view) throws(StoreError) in
      try living(in: view).map {
        MigrationPlan.Question(function: "calculate-balance", argument: ["person_id": .string($0.key.text)])
      }
    },
    compare: { (view, counts, answers) throws(StoreError) in
      var book = Book()
      try book.read(SwissCoin.schema.tables.map(\.name), from: view)
      var balances: [UUID: Balance] = [:]
      for (person, answer) in zip(try living(in: view), answers) {
        if let answer, let balance = Balance(answer) { balances[person.key.parts[0]] = balance }
      }
      return MigrationCheck(book, me: try Me.id(in: view), counts: counts, balances: balances)
    }, rollback: rollback)

  /// The persons whose balances are compared.
  private static func living(in view: AppView) throws(StoreError) -> [CoinRow] {
    var book = Book()
    try book.read(["persons"], from: view)
    let me = try Me.id(in: view).map { RowKey([$0]) }
    return book.rows(in: "persons").filter { $0.isLiving && $0.key != me }
  }

  /// All steps, owners before what they own.
  static let steps = [
    MigrationStep("profiles", "Syncing profile...", "Profile"),
    MigrationStep("persons", "Creating user identity...", "Current User", rows: .me),
    MigrationStep("persons", "Uploading contacts...", "Persons", rows: .others),
    MigrationStep("user_groups", "Uploading groups...", "Groups"),
    MigrationStep("group_members", "Setting group memberships...", "Group Members"),
    MigrationStep("subscriptions", "Uploading subscriptions...", "Subscriptions"),
    MigrationStep("subscription_subscribers", "Setting subscribers...", "Subscription Subscribers"),
    MigrationStep("financial_transactions", "Uploading transactions...", "Transactions"),
    MigrationStep("transaction_splits", "Uploading splits...", "Splits"),
    MigrationStep("transaction_payers", "Uploading payer details...", "Payers"),
    MigrationStep("settlements", "Uploading settlements...", "Settlements"),
    MigrationStep("reminders", "Uploading reminders...", "Reminders"),
    MigrationStep("chat_messages", "Uploading messages...", "Messages"),
    MigrationStep("subscription_payments", "Uploading subscription payments...", "Sub Payments"),
    MigrationStep("subscription_settlements", "Uploading subscription settlements...", "Sub Settlements"),
    MigrationStep("subscription_reminders", "Uploading subscription reminders...", "Sub Reminders"),
  ]
}
