import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// The rows of one account during a transaction: what is stored, and the changes so far.
struct AccountRows {
  let app: TableApp
  let account: UUID
  let now: WallTime
  let limits: RowLimits
  /// The account's rows.
  private(set) var zone: ZoneOverlay
  /// The account's log of versions that lost.
  private(set) var journal: ZoneOverlay
  /// The changes of rows in tables that make events, in order.
  private(set) var changes: [RowChange] = []
  /// The tables whose fields are defined in the zone's schema.
  private var defined: Set<Name> = []
  /// The references of rows that were written, checked when all rows are there.
  private var references: [(table: Name, column: Name, target: Name, key: String, referred: Name)] = []
  /// The versions that lost, which are written to the log when all rows are there.
  private var conflicts: [Conflict] = []
  /// The number of changed rows.
  private var changeCount = 0
  /// The references that make a row belong to another one.
  private let ownership: Dependence
  /// The rows that were removed, which none may refer to when all are done.
  private var removed: [(stored: Stored, table: Table)] = []
  private let user: Name

  /// A version that lost against another.
  private struct Conflict {
    /// The record of its entry in the log.
    let name: Name
    let entry: Row
  }

  /// A row with what is stored beside its columns.
  struct Stored {
    var record: StoredRecord
    var row: Row
    var applied: AppliedChanges

    /// The row that a record holds; for a tombstone the row of the table of deletions.
    init(_ record: StoredRecord, of table: Table, owner: UUID) throws(EvaluationFailure) {
      self.record = record
      guard !record.isDeleted else {
        row = Row(deletionOf: record)
        applied = AppliedChanges()
        return
      }
      do {
        (row, applied) = try Row.read(
          fields: record.fields, updatedAt: record.modified.at, deviceID: record.modified.author.deviceID, of: table,
          owner: owner)
      } catch {
        throw .unreadable(error)
      }
    }
  }

  /// The rows of an account. A zone that does not exist yet gets its first header.
  init(
    of account: UUID, app: TableApp, at now: WallTime, limits: RowLimits, reading reader: inout NotingReader,
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) {
    (self.app, self.account, self.now, self.limits) = (app, account, now, limits)
    ownership = app.schema.ownership
    user = UserRecordName.of(user: Name(account.text))
    let database = app.database(of: account)
    var overlays: [ZoneOverlay] = []
    for name in [app.zone, TableApp.journal] {
      overlays.append(
        try ZoneOverlay(
          of: ZoneKey(database: database, zoneName: name), at: now, reading: &reader, using: &generator))
    }
    (zone, journal) = (overlays[0], overlays[1])
  }

  /// The zones that were changed.
  var changed: [ZoneOverlay] { [zone, journal].filter { $0.changes != nil } }

  // MARK: Reading

  /// The row of that key; nil if there is none.
  func row(_ key: RowKey, of table: Table) throws(EvaluationFailure) -> Stored? {
    guard let record = try zone.live(key.recordName(in: table.name)) else { return nil }
    return try Stored(record, of: table, owner: account)
  }

  /// Requires what it takes to write these versions, all at once: the rows that own them, and those that are deleted or
  /// restored with them.
  func require(for offers: [(content: RowContent, stored: Stored?)], of table: Table) throws(RowFailure) {
    var owners: Set<Name> = []
    var changed: [Name] = []
    for (content, stored) in offers {
      var mayChangeDeletion = false
      if let owner = table.ownerRow {
        let before = stored?.row[owner.column, table]
        if let id = (content[owner.column] ?? before)?.uuid { owners.insert(RowKey([id]).recordName(in: owner.table)) }
        mayChangeDeletion = content[owner.column].map { $0 != before } ?? false
      }
      guard let stored else { continue }
      if let deletion = content[.deletedAt], deletion != stored.row[.deletedAt, table] { mayChangeDeletion = true }
      if mayChangeDeletion { changed.append(stored.record.recordName) }
    }
    do throws(EvaluationFailure) {
      try zone.require(owners.sorted())
    } catch {
      throw .evaluation(error)
    }
    try requireOwned(by: changed)
  }

  /// Requires the rows that these own, and the references to all of them.
  func requireOwned(by names: [Name]) throws(RowFailure) {
    try RowFailure.catching { () throws(EvaluationFailure) in
      try zone.requireDependents(of: names, by: ownership)
    }
  }

  // MARK: Writing

  /// The version of a row that can be stored: a row that lives while the row that owns it is deleted is deleted with
  /// that one, and comes back with it.
  func storable(_ row: Row, of table: Table) throws(EvaluationFailure) -> Row {
    guard row[.deletedAt, table] == .null, let owner = table.ownerRow, let id = row[owner.column, table].uuid,
      let owning = app.schema.table(owner.table), let stored = try self.row(RowKey([id]), of: owning)
    else { return row }
    var storable = row
    storable[.deletedAt, table] = stored.row[.deletedAt, owning]
    return storable
  }

  /// Stores a version of a row, and deletes or restores the rows that it owns. Returns it with its stamp.
  @discardableResult
  mutating func put(
    _ row: Row, of table: Table, over before: Stored?, applied: AppliedChanges
  ) throws(RowFailure) -> Row {
    let written = try write(row, of: table, over: before, applied: applied)
    guard let before else { return written }
    let deletions = (before.row[.deletedAt, table], row[.deletedAt, table])
    if deletions.0 == .null, deletions.1 != .null {
      try changeOwned(by: before.record.recordName, of: table) { owned, child in
        guard owned[.deletedAt, child] == .null else { return false }
        owned[.deletedAt, child] = deletions.1
        owned[.editedAt, child] = row[.editedAt, table]
        return true
      }
    } else if deletions.0 != .null, deletions.1 == .null {
      try changeOwned(by: before.record.recordName, of: table) { owned, child in
        guard owned[.deletedAt, child] == deletions.0 else { return false }
        owned[.deletedAt, child] = .null
        owned[.editedAt, child] = row[.editedAt, table]
        return true
      }
    }
    return written
  }

  /// Changes the rows that a row owns, and the rows that those own. `change` says whether a row was changed.
  private mutating func changeOwned(
    by owner: Name, of table: Table, _ change: (inout Row, Table) -> Bool
  ) throws(RowFailure) {
    var waiting = Array(try owned(by: owner).reversed())
    while let (record, child) = waiting.popLast() {
      let before = try stored(record, of: child)
      var row = before.row
      guard change(&row, child) else { continue }
      row[.changedBy, child] = .null
      _ = try write(row, of: child, over: before, applied: before.applied)
      waiting += try owned(by: record.recordName).reversed()
    }
  }

  /// The records of the rows that a row owns, with their tables.
  private func owned(by owner: Name) throws(RowFailure) -> [(record: StoredRecord, table: Table)] {
    try RowFailure.catching { () throws(EvaluationFailure) in
      try zone.requireDependents(of: [owner], by: ownership)
      var owned: [(record: StoredRecord, table: Table)] = []
      for reference in try zone.references(to: owner) where ownership.mayBind(reference) {
        guard let record = try zone.live(reference.source), ownership.binds(reference, ofType: record.recordType),
          let table = app.schema.table(record.recordType)
        else { continue }
        owned.append((record, table))
      }
      return owned
    }
  }

  private func stored(_ record: StoredRecord, of table: Table) throws(RowFailure) -> Stored {
    try RowFailure.catching { () throws(EvaluationFailure) in try Stored(record, of: table, owner: account) }
  }

  /// Counts a changed row. Throws beyond the limit.
  private mutating func count(changeIn table: Table) throws(RowFailure) {
    changeCount += 1
    guard changeCount <= limits.changedRows else {
      throw .refused(.tooManyChanges(of: table.name, limit: limits.changedRows))
    }
  }

  private mutating func write(
    _ row: Row, of table: Table, over before: Stored?, applied: AppliedChanges
  ) throws(RowFailure) -> Row {
    for (place, column) in table.columns.enumerated() where column.isRequired && row.values[place] == .null {
      throw .refused(.missing(column.name, of: table.name))
    }
    guard let key = RowKey(row, of: table) else { throw .refused(.missing(table.key[0], of: table.name)) }
    let fields = row.fields(of: table, applied: applied)
    guard fields.utf8.count <= limits.rowBytes else {
      throw .refused(
        RowError(
          .rowTooLarge, "row is too big: size \(fields.utf8.count), maximum size \(limits.rowBytes)",
          details: "Key \(key.words(in: table)) of table \"\(table.name)\"."))
    }
    try count(changeIn: table)
    try define(table)
    noteReferences(of: row, in: table, over: before?.row)
    let deviceID = AppliedChanges.deviceID(of: row[.changedBy, table].text)
    let stamp = zone.nextStamp(at: now)
    let modified = Authorship(at: stamp, author: Author(userRecordName: user, deviceID: deviceID))
    let name = key.recordName(in: table.name)
    let record = StoredRecord(
      recordName: name, recordType: table.name, fields: fields, sequence: 0,
      created: before?.record.created ?? modified, modified: modified, parent: nil,
      references: row.references(of: table, from: name))
    try RowFailure.catching { () throws(EvaluationFailure) in _ = try zone.put(record) }
    var written = row
    written[.updatedAt, table] = .timestamp(stamp)
    note(RowChange(table: table.name, key: key, old: before?.row, new: written, stamp: stamp), in: table)
    return written
  }

  private mutating func note(_ change: RowChange, in table: Table) {
    if table.quiet != nil { changes.append(change) }
  }

  /// Adds the columns of a table to the zone's schema.
  private mutating func define(_ table: Table) throws(RowFailure) {
    guard defined.insert(table.name).inserted else { return }
    try RowFailure.catching { () throws(EvaluationFailure) in
      let known = try zone.schema(of: table.name)
      guard !table.isDefined(by: known) else { return }
      let missing = table.definitions.filter { definition in
        !known.contains { $0.field == definition.field && $0.type == definition.type }
      }
      zone.define(missing)
    }
  }

  // MARK: Removing

  /// Removes a row for good, with the rows that it owns.
  mutating func remove(_ stored: Stored, of table: Table) throws(RowFailure) {
    let author = Author(userRecordName: user)
    var doomed = [(stored: stored, table: table)]
    while let (stored, table) = doomed.popLast() {
      guard try isLive(stored.record.recordName) else { continue }
      let owned = try owned(by: stored.record.recordName)
      try count(changeIn: table)
      let stamp = zone.nextStamp(at: now)
      try RowFailure.catching { () throws(EvaluationFailure) in
        try zone.bury(stored.record, by: Authorship(at: stamp, author: author))
      }
      removed.append((stored, table))
      if let key = RowKey(stored.row, of: table) {
        note(RowChange(table: table.name, key: key, old: stored.row, new: nil, stamp: stamp), in: table)
      }
      for (record, child) in owned.reversed() { doomed.append((try self.stored(record, of: child), child)) }
    }
  }

  private func isLive(_ name: Name) throws(RowFailure) -> Bool {
    try RowFailure.catching { () throws(EvaluationFailure) in try zone.live(name) != nil }
  }

  /// Throws if a row refers to one that was removed.
  func requireUnreferred() throws(RowFailure) {
    for (stored, table) in removed {
      let references = try RowFailure.catching { () throws(EvaluationFailure) in
        try zone.references(to: stored.record.recordName)
      }
      guard let reference = references.first, let key = RowKey(stored.row, of: table) else { continue }
      let referrer = reference.source.text.prefix { $0 != "/" }
      throw .refused(.stillReferred(key.text, of: table.name, by: Name(String(referrer)), reference.field))
    }
  }

  // MARK: References

  private mutating func noteReferences(of row: Row, in table: Table, over before: Row?) {
    for (place, column) in table.columns.enumerated() {
      guard let referred = column.foreignKey?.table, let id = row.values[place].uuid,
        before?.values[place] != row.values[place]
      else { continue }
      let target = RowKey([id]).recordName(in: referred)
      references.append((table.name, column.name, target, id.text, referred))
    }
  }

  /// Throws if a row that was written refers to one that does not exist. An owner row in `foreign` belongs to another
  /// account.
  func requireTargets(foreign: Set<Name>) throws(RowFailure) {
    try RowFailure.catching { () throws(EvaluationFailure) in try zone.require(references.map(\.target)) }
    for reference in references {
      if try isLive(reference.target) { continue }
      let isOwner = app.schema.table(reference.table)?.column(reference.column)?.foreignKey?.isOwner == true
      throw isOwner && foreign.contains(reference.target)
        ? .refused(.foreignRow(of: reference.table))
        : .refused(.noTarget(reference.column, reference.key, of: reference.table, in: reference.referred))
    }
  }

  // MARK: The log of conflicts

  /// Removes an entry of the log.
  mutating func forget(conflict record: StoredRecord) throws(RowFailure) {
    let stamp = Authorship(at: journal.nextStamp(at: now), author: Author(userRecordName: user))
    try RowFailure.catching { () throws(EvaluationFailure) in try journal.bury(record, by: stamp) }
  }

  /// Notes a version that lost against another for the log.
  mutating func log(_ loser: Row, against winner: Row, by rule: RowOrder.Rule, of table: Table) {
    guard let key = RowKey(winner, of: table) else { return }
    let id = RowConflict.id(of: key.recordName(in: table.name), loser: loser, winner: winner, in: table)
    let entry = RowConflict.row(id: id, key: key, loser: loser, winner: winner, rule: rule, table: table, at: now)
    conflicts.append(Conflict(name: RowKey([id]).recordName(in: OwnTable.conflicts.table.name), entry: entry))
  }

  /// Writes the versions that lost to the log. A pair of versions is written once.
  mutating func writeConflicts() throws(RowFailure) {
    guard !conflicts.isEmpty else { return }
    let table = OwnTable.conflicts.table
    do throws(EvaluationFailure) {
      try journal.require(conflicts.map(\.name))
      for conflict in conflicts where try journal.live(conflict.name) == nil {
        let stamp = Authorship(at: journal.nextStamp(at: now), author: Author(userRecordName: user))
        let fields = conflict.entry.fields(of: table, applied: AppliedChanges())
        try journal.put(
          StoredRecord(
            recordName: conflict.name, recordType: table.name, fields: fields, sequence: 0, created: stamp,
            modified: stamp, parent: nil, references: []))
      }
    } catch {
      throw .evaluation(error)
    }
  }
}

extension TableSchema {
  /// The references that make a row belong to another one.
  fileprivate var ownership: Dependence {
    .fields(
      Set(
        tables.flatMap { table in
          table.columns.filter { $0.foreignKey?.isOwner == true }.map { Dependence.Field(table.name, $0.name) }
        }))
  }
}
