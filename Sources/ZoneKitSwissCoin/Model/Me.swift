import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The user's own person. Its ID is the account's; before the first sign-in it is the app's value `me`.
package struct Me: Hashable, Sendable {
  /// The ID.
  package let id: UUID
  /// The person's row; nil if there is none yet.
  let person: CoinRow?
  /// The row of the account's profile; nil if there is none.
  let profile: CoinRow?
  /// Whether the device knows no ID yet, and this one was made just now.
  let isNew: Bool

  /// The key of the app's value.
  package static let key = MigrationRecord.userKey

  /// The ID that a device has for its user; nil if it has none yet.
  package static func id(in view: AppView) throws(StoreError) -> UUID? {
    if let account = view.account.flatMap({ UUID($0.text) }) { return account }
    return try view.values[key]?.text.flatMap { UUID($0) }
  }

  /// The user's person with an ID of the device, or a new one.
  init(in view: AppView, using generator: inout some RandomNumberGenerator) throws(StoreError) {
    let known = try Self.id(in: view)
    try self.init(known ?? UUID(using: &generator), isNew: known == nil, in: view)
  }

  private init(_ id: UUID, isNew: Bool, in view: AppView) throws(StoreError) {
    self.id = id
    self.isNew = isNew
    func row(_ table: Name) throws(StoreError) -> CoinRow? {
      try view.store.record(SwissCoin.recordID(table, RowKey([id]))).flatMap { (record) throws(StoreError) in
        try CoinRow(record, owner: id)
      }
    }
    person = try row("persons")
    profile = try row("profiles")
  }

  /// The person's row for a user who has none yet. All devices of an account make the same one, and its stamp is the
  /// oldest, so that each edit by a user beats it.
  var firstPerson: CoinRow {
    var row = CoinRow(
      new: "persons", RowKey([id]), ["name": .text(profile?.name ?? "Me")], createdAt: SwissCoin.oldestStamp)
    row[.editedAt] = .timestamp(SwissCoin.oldestStamp)
    return row
  }

  /// What makes the person and stores its ID, with the edits of a command; nothing if both are there or no record
  /// changes.
  func joined(with edits: [RecordEdit]) -> (edits: [RecordEdit], appValues: [AppValueChange]) {
    guard !edits.isEmpty else { return ([], []) }
    let first = firstPerson
    let isThere = person != nil || edits.contains { $0.recordID == first.id }
    return (
      (isThere ? [] : [first.edit(.asGiven)]) + edits, isNew ? [AppValueChange(Self.key, .text(id.text))] : []
    )
  }

  /// The edits that make the person of an account whose rows have all arrived without one: after the first full fetch.
  static func repairs(in view: AppView) throws(StoreError) -> [RecordEdit] {
    guard let account = view.account.flatMap({ UUID($0.text) }),
      let zone = try view.store.zones().first(where: { $0.zoneID.zoneName == SwissCoin.zoneID.zoneName }),
      zone.token != nil, !zone.isInFullFetch
    else { return [] }
    let me = try Me(account, isNew: false, in: view)
    guard me.profile != nil, me.person == nil else { return [] }
    return [me.firstPerson.edit(.asGiven)]
  }
}
