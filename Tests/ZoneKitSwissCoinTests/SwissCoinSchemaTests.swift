import Testing
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables

@Suite struct SwissCoinSchemaTests {
  /// The columns of each table beside those that every table has, as one list of words.
  static let columns: [(table: Name, columns: String)] = [
    ("profiles", "id display_name phone photo_url color_hex"),
    ("persons", "id owner_id name phone_number photo_url color_hex is_archived last_viewed_date"),
    ("user_groups", "id owner_id name photo_url color_hex created_date last_viewed_date"),
    ("group_members", "group_id person_id"),
    (
      "subscriptions",
      """
      id owner_id name amount cycle custom_cycle_days start_date next_billing_date is_shared is_active category \
      icon_name color_hex notes notification_enabled notification_days_before is_archived
      """
    ),
    ("subscription_subscribers", "subscription_id person_id"),
    (
      "financial_transactions",
      "id owner_id title amount currency date split_method note payer_id created_by_id group_id"
    ),
    ("transaction_splits", "id transaction_id owed_by_id amount raw_amount"),
    ("transaction_payers", "id transaction_id paid_by_id amount"),
    ("settlements", "id owner_id amount currency date note is_full_settlement from_person_id to_person_id"),
    ("reminders", "id owner_id created_date amount message is_read is_cleared to_person_id"),
    (
      "chat_messages",
      """
      id owner_id content timestamp is_from_user is_edited with_person_id with_group_id with_subscription_id \
      on_transaction_id
      """
    ),
    (
      "subscription_payments",
      "id owner_id subscription_id payer_id amount date billing_period_start billing_period_end note"
    ),
    ("subscription_settlements", "id owner_id subscription_id from_person_id to_person_id amount date note"),
    ("subscription_reminders", "id owner_id subscription_id to_person_id amount created_date message is_read"),
  ]

  @Test("Each table has its columns in their order, then the five stamps")
  func columnsOfTables() {
    #expect(SwissCoin.schema.tables.map(\.name) == Self.columns.map(\.table))
    for (table, columns) in Self.columns {
      let expected = columns + " created_at updated_at deleted_at edited_at changed_by"
      #expect(SwissCoin.schema.table(table)?.columns.map(\.name.text).joined(separator: " ") == expected)
    }
  }

  @Test("Six tables make events, chat messages at once")
  func liveTables() {
    let live = SwissCoin.schema.tables.filter { $0.quiet != nil }
    #expect(
      live.map(\.name) == [
        "subscriptions", "financial_transactions", "settlements", "reminders", "chat_messages",
        "subscription_reminders",
      ])
    #expect(live.map(\.quiet) == [300, 300, 300, 300, 0, 300])
  }

  @Test("A reference points to an earlier table whose key is one column")
  func references() {
    var earlier: Set<Name> = []
    for table in SwissCoin.schema.tables {
      for column in table.columns {
        guard let foreignKey = column.foreignKey else { continue }
        #expect(earlier.contains(foreignKey.table), "\(table.name).\(column.name)")
        #expect(column.type == .uuid)
        #expect(SwissCoin.schema.table(foreignKey.table)?.key == [.id])
      }
      earlier.insert(table.name)
    }
  }

  @Test("Fourteen columns refer to persons, the pairs among them")
  func referencesToPersons() {
    let names = SwissCoin.schema.referring(to: "persons").map { "\($0.table.name).\($0.column.name)" }
    #expect(
      names == [
        "group_members.person_id", "subscription_subscribers.person_id", "financial_transactions.payer_id",
        "financial_transactions.created_by_id", "transaction_splits.owed_by_id", "transaction_payers.paid_by_id",
        "settlements.from_person_id", "settlements.to_person_id", "reminders.to_person_id",
        "chat_messages.with_person_id", "subscription_payments.payer_id", "subscription_settlements.from_person_id",
        "subscription_settlements.to_person_id", "subscription_reminders.to_person_id",
      ])
  }

  @Test("A row without an account's column has an owner row, and each owner is required")
  func ownership() {
    for table in SwissCoin.schema.tables {
      switch table.ownership {
      case .account(let column): #expect(table.column(column)?.isRequired == true)
      case .row(let column):
        #expect(table.column(column)?.isRequired == true)
        #expect(table.column(column)?.foreignKey?.isOwner == true)
        #expect(table.column(.ownerID) == nil)
      }
    }
    #expect(
      SwissCoin.schema.owned(by: "subscriptions").map(\.table.name) == [
        "subscription_subscribers", "subscription_payments", "subscription_settlements", "subscription_reminders",
      ])
  }

  @Test("A default has the type of its column")
  func defaults() {
    for table in SwissCoin.schema.tables {
      for column in table.columns where column.defaultValue != .null {
        #expect(column.defaultValue.type == column.type, "\(table.name).\(column.name)")
      }
    }
    #expect(SwissCoin.schema.table("settlements")?.column("currency")?.defaultValue == .text("CHF"))
    #expect(SwissCoin.schema.table("subscriptions")?.column("is_active")?.defaultValue == .bool(true))
  }

  @Test("The rows of an account lie in the account's private database")
  func database() throws {
    let account = try #require(UUID("7C0A0000-0000-4000-8000-00000000000A"))
    #expect(
      SwissCoin.tables.database(of: account)
        == DatabaseID(
          container: "com.example.swisscoin", environment: .development,
          user: "7c0a0000-0000-4000-8000-00000000000a", scope: .private))
  }
}
