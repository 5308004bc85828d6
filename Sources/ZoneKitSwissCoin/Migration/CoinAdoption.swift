import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// Rewrites local rows for the account that signs in: the user's person becomes the account's, in its own row and
/// in every reference to it, by the schema.
package enum CoinAdoption {
  /// The rule for the coordinator's settings. It refuses where another person has the account's ID.
  package static let rule: Adoption.Rule = { (adoption) throws(StoreError) in
    // Over CloudKit's interface accounts are names, and the user's person keeps its own ID.
    guard let account = UUID(adoption.account.text) else { return adoption }
    var run = AdoptionRun(account: account, me: adoption.appValues[Me.key]?.text.flatMap { UUID($0) })
    try run.read(adoption.records)
    run.rewrite()
    var result = adoption
    result.records = run.rows.map { row in
      LocalRecord(
        recordID: row.id, recordType: row.table.name,
        local: RecordContent(fields: EncodedFields(row.row.fields(of: row.table))))
    }
    result.appValues = run.values(adoption.appValues)
    return result
  }
}

/// One adoption on its way.
struct AdoptionRun {
  private let account: UUID
  private let me: UUID?
  private var completion: RowCompletion
  private var notes: [RowNote] = []
  private var read: [CoinRow] = []
  private var count = 0
  /// The rows for the account: profile and self person first, then the others in their order.
  private(set) var rows: [CoinRow] = []

  init(account: UUID, me: UUID?) {
    self.account = account
    self.me = me
    completion = RowCompletion(of: account)
  }

  // MARK: Reading

  /// The local records are adopted. Throws if one of them is another person with the account's ID.
  mutating func read(_ records: [LocalRecord]) throws(StoreError) {
    count = records.count { $0.local != nil }
    for record in records {
      guard let content = record.local else { continue }
      let place = record.recordID.recordName.text
      guard let table = SwissCoin.table(of: record.recordID), table.name != "profiles" else {
        notes.append(RowNote(place, "it is no row of somebody without an account and stays behind"))
        continue
      }
      let (row, _) = try Row.read(
        fields: content.fields, updatedAt: SwissCoin.oldestStamp, deviceID: Author.unnamedDevice, of: table,
        owner: account)
      do throws(RowNote) {
        read.append(try completion.complete(row, of: table, at: place))
      } catch {
        notes.append(error)
      }
    }
    guard me == account || !read.contains(where: { $0.table.name == "persons" && $0.key == RowKey([account]) }) else {
      throw StoreError(
        .failed, "another person has the account's ID; nothing was changed", place: "persons/\(account.text)")
    }
  }

  // MARK: Rewriting

  /// Makes the account's rows.
  mutating func rewrite() {
    guard count > 0 else { return }
    let kept = needed()
    var adopted: [Name: CoinRow] = [:]
    var order: [Name] = []
    func take(_ row: CoinRow) {
      let name = row.id.recordName
      guard let other = adopted[name] else {
        adopted[name] = row
        return order.append(name)
      }
      let isKept: Bool
      switch RowOrder.compare(other.row, row.row, in: row.table) {
      case .equal, .first: isKept = true
      case .second: isKept = false
      }
      if !isKept { adopted[name] = row }
      notes.append(RowNote(name.text, "two rows became this one; the greater one was kept"))
    }
    let person = selfPerson(of: kept)
    take(profile(of: person))
    take(person)
    for row in kept where !isSelf(row) { take(renamed(row)) }
    rows = settled(order.compactMap { adopted[$0] })
    if completion.needsUnknown { rows.insert(completion.unknownPerson, at: 2) }
  }

  /// The living rows, and the deleted ones to which they refer, directly or not. The others were never sent and stay
  /// behind.
  private func needed() -> [CoinRow] {
    var byName: [Name: CoinRow] = [:]
    for row in read { byName[row.id.recordName] = row }
    var needed = Set(read.filter { $0.isLiving || isSelf($0) }.map(\.id.recordName))
    var open = read.filter { needed.contains($0.id.recordName) }
    while let row = open.popLast() {
      for target in Self.references(of: row) {
        guard let row = byName[target], needed.insert(target).inserted else { continue }
        open.append(row)
      }
    }
    return read.filter { needed.contains($0.id.recordName) }
  }

  private static func references(of row: CoinRow) -> [Name] {
    row.table.columns.compactMap { column in
      guard let key = column.foreignKey, let id = row[column.name].uuid else { return nil }
      return RowKey([id]).recordName(in: key.table)
    }
  }

  private func isSelf(_ row: CoinRow) -> Bool {
    row.table.name == "persons" && me.map { row.key == RowKey([$0]) } ?? false
  }

  /// The account's person: the local one, or a new one.
  private func selfPerson(of rows: [CoinRow]) -> CoinRow {
    guard let row = rows.first(where: isSelf) else {
      var row = CoinRow(
        new: "persons", RowKey([account]), ["name": .text("Me")], createdAt: SwissCoin.oldestStamp)
      row[.editedAt] = .timestamp(SwissCoin.oldestStamp)
      return row
    }
    var person = renamed(row)
    person["is_archived"] = .bool(false)
    return person
  }

  /// The account's profile as its person says it. The server knows when it made the profile, so that column stays empty
  /// and is left alone there.
  private func profile(of person: CoinRow) -> CoinRow {
    let name = person.name.flatMap { $0.isEmpty ? nil : $0 } ?? "Me"
    var row = CoinRow(
      new: "profiles", RowKey([account]),
      ["display_name": .text(name), "phone": person["phone_number"], "color_hex": person["color_hex"]], createdAt: nil)
    row[.editedAt] = person[.editedAt]
    return row
  }

  /// A row in which the user's person is that of the account.
  private func renamed(_ row: CoinRow) -> CoinRow { me.map { row.renaming($0, to: account) } ?? row }

  /// The rows whose owner rows are there, with references only to rows that are there.
  private mutating func settled(_ rows: [CoinRow]) -> [CoinRow] {
    let there = Set(rows.map(\.id.recordName))
    var settled: [CoinRow] = []
    for row in rows {
      let place = row.id.recordName.text
      if let owner = row.owner, !there.contains(owner.key.recordName(in: owner.table)) {
        notes.append(RowNote(place, "its \(SwissCoin.table(owner.table).noun) is not there; it stays behind"))
        continue
      }
      var row = row
      for column in row.table.columns where !row.table.key.contains(column.name) {
        guard let key = column.foreignKey, let id = row[column.name].uuid, id != completion.unknown,
          !there.contains(RowKey([id]).recordName(in: key.table))
        else { continue }
        let isReplaced = completion.replaceMissingPerson(in: &row, column.name)
        if !isReplaced { row[column.name] = .null }
        notes.append(
          RowNote(
            place, "\(column.name) named a row that is not there\(isReplaced ? "; it is the person Unknown now" : "")"))
      }
      settled.append(row)
    }
    return settled
  }

  // MARK: Values

  /// The app's values for the account: without the old person, photos under the new one, and the migration that began.
  func values(_ old: [String: DeviceValue]) -> [String: DeviceValue] {
    var values: [String: DeviceValue] = [:]
    for (key, value) in old where key != Me.key {
      values[key == "photo/persons/\(me?.text ?? "")" ? "photo/persons/\(account.text)" : key] = value
    }
    guard count > 0 else { return values }
    var record = MigrationRecord(account: account, store: old["store"]?.text)
    record.found = count
    record.notes = notes + completion.notes
    for row in rows { record.adopted[row.table.name, default: 0] += 1 }
    values[MigrationRecord.key] = .text(record.json.text())
    return values
  }
}
