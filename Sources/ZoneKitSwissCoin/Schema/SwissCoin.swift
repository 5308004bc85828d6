import ZoneKitRecords
import ZoneKitTables

/// The tables of Swiss Coin, a splitter of bills.
package enum SwissCoin {
  /// The app as a server of tables sees it.
  package static let tables = TableApp(
    name: "swisscoin", container: "com.example.swisscoin", environment: .development, zone: "SwissCoin",
    schema: schema, profile: TableApp.Profile(table: "profiles", name: "display_name"),
    functions: [.calculateBalance],
    notices: [
      "financial_transactions": TableNotice("transactionChanged", insertText: "New transaction added"),
      "settlements": TableNotice("settlementChanged"), "chat_messages": TableNotice("chatMessageChanged"),
      "reminders": TableNotice("reminderChanged"), "subscription_reminders": TableNotice("subscriptionReminderChanged"),
      "subscriptions": TableNotice("subscriptionChanged"),
    ], bucket: bucket,
    photos: TablePhotos(
      column: "photo_url", folders: ["persons": "persons", "user_groups": "groups"], sizeLimit: 5 << 20))

  /// The bucket for photos of persons and groups.
  private static let bucket = ObjectBucket(
    "photos", mediaTypes: ["image/jpeg", "image/png", "image/heic", "application/octet-stream"], sizeLimit: 8 << 20)

  /// All fifteen tables, in the order in which devices send and fetch them.
  package static let schema = TableSchema(people + subscriptions + expenses + messages + subscriptionParts)

  private static let person = ForeignKey.to("persons")
  private static let group = ForeignKey.to("user_groups")
  private static let subscription = ForeignKey.to("subscriptions")
  private static let transaction = ForeignKey.to("financial_transactions")
  private static let amount = Column("amount", .float8, default: .float8(0))
  private static let currency = Column("currency", .text, default: .text("CHF"))

  private static func text(_ name: Name) -> Column { Column(name, .text) }
  private static func time(_ name: Name) -> Column { Column(name, .timestamp) }
  private static func flag(_ name: Name, _ value: Bool = false) -> Column {
    Column(name, .bool, default: .bool(value))
  }
  private static func reference(_ name: Name, _ table: ForeignKey) -> Column { Column(name, .uuid, refersTo: table) }
  private static func required(_ name: Name, _ table: ForeignKey) -> Column {
    Column(name, .uuid, isRequired: true, refersTo: table)
  }

  private static let people = [
    Table(
      "profiles", key: [.id], ownership: .account(column: .id),
      columns: [
        Column(.id, .uuid, isRequired: true), Column("display_name", .text, default: .text("Me")), text("phone"),
        text("photo_url"), text("color_hex"),
      ] + Table.stampColumns),
    .owned(
      "persons",
      [
        Column("name", .text, isRequired: true), text("phone_number"), text("photo_url"), text("color_hex"),
        flag("is_archived"), time("last_viewed_date"),
      ]),
    .owned(
      "user_groups",
      [
        Column("name", .text, isRequired: true), text("photo_url"), text("color_hex"), time("created_date"),
        time("last_viewed_date"),
      ]),
    .pairs("group_members", required("group_id", .owner("user_groups")), required("person_id", person)),
  ]

  private static let subscriptions = [
    Table.owned(
      "subscriptions", quiet: 300,
      [
        Column("name", .text, isRequired: true), amount, Column("cycle", .text, default: .text("monthly")),
        Column("custom_cycle_days", .int4), time("start_date"), time("next_billing_date"), flag("is_shared"),
        flag("is_active", true), text("category"), text("icon_name"), text("color_hex"), text("notes"),
        flag("notification_enabled"), Column("notification_days_before", .int4, default: .int4(0)),
        flag("is_archived"),
      ]),
    .pairs(
      "subscription_subscribers", required("subscription_id", .owner("subscriptions")), required("person_id", person)),
  ]

  private static let expenses = [
    Table.owned(
      "financial_transactions", quiet: 300,
      [
        Column("title", .text, default: .text("")), amount, currency, time("date"), text("split_method"), text("note"),
        reference("payer_id", person), reference("created_by_id", person), reference("group_id", group),
      ]),
    .parts(
      "transaction_splits", of: "transaction_id",
      [
        required("transaction_id", .owner("financial_transactions")), required("owed_by_id", person), amount,
        Column("raw_amount", .float8),
      ]),
    .parts(
      "transaction_payers", of: "transaction_id",
      [
        required("transaction_id", .owner("financial_transactions")), required("paid_by_id", person), amount,
      ]),
    .owned(
      "settlements", quiet: 300,
      [
        amount, currency, time("date"), text("note"), flag("is_full_settlement"), reference("from_person_id", person),
        reference("to_person_id", person),
      ]),
  ]

  private static let messages = [
    Table.owned(
      "reminders", quiet: 300,
      [
        time("created_date"), amount, text("message"), flag("is_read"), flag("is_cleared"),
        reference("to_person_id", person),
      ]),
    .owned(
      "chat_messages", quiet: 0,
      [
        Column("content", .text, default: .text("")), time("timestamp"), flag("is_from_user", true),
        flag("is_edited"), reference("with_person_id", person), reference("with_group_id", group),
        reference("with_subscription_id", subscription), reference("on_transaction_id", transaction),
      ]),
  ]

  private static let subscriptionParts = [
    Table.owned(
      "subscription_payments",
      [
        required("subscription_id", .owner("subscriptions")), reference("payer_id", person), amount, time("date"),
        time("billing_period_start"), time("billing_period_end"), text("note"),
      ]),
    .owned(
      "subscription_settlements",
      [
        required("subscription_id", .owner("subscriptions")), reference("from_person_id", person),
        reference("to_person_id", person), amount, time("date"), text("note"),
      ]),
    .owned(
      "subscription_reminders", quiet: 300,
      [
        required("subscription_id", .owner("subscriptions")), reference("to_person_id", person), amount,
        time("created_date"), text("message"), flag("is_read"),
      ]),
  ]
}
