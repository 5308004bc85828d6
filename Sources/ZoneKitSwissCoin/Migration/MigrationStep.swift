import ZoneKitRecords

/// One of the sixteen steps of a migration.
package struct MigrationStep: Hashable, Sendable {
  /// The rows of a step.
  package enum Rows: Hashable, Sendable {
    /// All of the table.
    case all
    /// The user's own person.
    case me
    /// All but the user's own person.
    case others
  }

  /// The table.
  package let table: Name
  /// Which of its rows.
  package let rows: Rows
  /// What the user reads while the step goes on.
  package let text: String
  /// The key of the number of its rows.
  package let countKey: String

  private init(_ table: Name, _ text: String, _ countKey: String, rows: Rows = .all) {
    self.table = table
    self.rows = rows
    self.text = text
    self.countKey = countKey
  }

  /// All steps, owners before what they own.
  package static let all = [
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
